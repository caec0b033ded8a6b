-- US dollars that were paid for a run so far, where the evaluation has a spend limit. Each reply adds
-- its cost, so that a run which a kill interrupted still counts.
ALTER TABLE task_runs ADD COLUMN spent_usd REAL NOT NULL DEFAULT 0 CHECK (spent_usd >= 0);
UPDATE task_runs SET spent_usd = coalesce(facts ->> '$.cost', 0) + coalesce(facts ->> '$.judgeCost', 0)
  + coalesce(facts ->> '$.user.cost', 0)
WHERE facts IS NOT NULL;
