-- Proofs spend one level of significance per suite: the k-th candidate that is proved on the proof half of a
-- suite's cases gets its share of 0.05, whichever evaluation and model it starts from.
ALTER TABLE rewrites ADD COLUMN suite TEXT NOT NULL DEFAULT '';
-- which candidate of its suite it is, from the moment its proof begins
ALTER TABLE rewrites ADD COLUMN proof_rank INTEGER CHECK (proof_rank > 0);

UPDATE rewrites SET suite = coalesce(
  (SELECT coalesce(e.suite_id, e.suite_name) FROM evaluations e WHERE e.id = rewrites.base_evaluation_id),
  base_evaluation_id
);
UPDATE rewrites SET proof_rank = (
  SELECT count(*) FROM rewrites earlier
  WHERE earlier.suite = rewrites.suite
    AND (earlier.proof_evaluation_id IS NOT NULL OR earlier.proof IS NOT NULL)
    AND (earlier.created_at, earlier.id) <= (rewrites.created_at, rewrites.id)
) WHERE proof_evaluation_id IS NOT NULL OR proof IS NOT NULL;
-- Earlier proofs were adjusted by Holm: adjusted p ≤ 0.05 is p ≤ 0.05 · p ÷ adjusted p.
UPDATE rewrites SET proof = json_remove(
  json_set(proof, '$.level', 0.05 * (proof ->> '$.pValue') / (proof ->> '$.adjustedP')),
  '$.adjustedP'
) WHERE proof ->> '$.adjustedP' > 0;

CREATE INDEX rewrites_suite ON rewrites (suite, proof_rank);
