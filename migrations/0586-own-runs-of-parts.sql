-- A part of an evaluation plans only its own runs. Until now, it also had those of the other parts,
-- which never ran.
DELETE FROM runs WHERE status = 'pending' AND EXISTS (
  SELECT 1 FROM evaluations e
  WHERE e.id = runs.evaluation_id AND e.settings ->> '$.shard' IS NOT NULL
    AND runs.position % (e.settings ->> '$.shard.of') <> (e.settings ->> '$.shard.index') - 1
);
UPDATE evaluations SET planned_runs = (
  SELECT count(*) FROM runs r WHERE r.evaluation_id = evaluations.id AND r.attempt = 1
)
WHERE settings ->> '$.shard' IS NOT NULL;
UPDATE evaluation_events SET data = json_set(data, '$.runs', e.planned_runs)
FROM evaluations AS e
WHERE e.id = evaluation_events.evaluation_id AND evaluation_events.type = 'planned'
  AND e.settings ->> '$.shard' IS NOT NULL;
DELETE FROM evaluation_summaries
WHERE evaluation_id IN (SELECT id FROM evaluations WHERE settings ->> '$.shard' IS NOT NULL);
