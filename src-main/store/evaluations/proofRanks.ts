/**
 * The last rank that was taken on the proof half of a suite, as SQL: rewrites and optimizations use
 * up the same half, so they share one row of levels.
 */
export const lastProofRank = (suite: string): string =>
  `(SELECT coalesce(max(rank), 0) FROM (
     SELECT r.proof_rank AS rank FROM rewrites r WHERE r.suite = ${suite}
     UNION ALL SELECT o.proof_rank FROM optimizations o WHERE o.suite = ${suite}))`;
