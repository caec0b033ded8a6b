-- The numbers of an evaluation that has ended, so that lists show them without folding every run again.
CREATE TABLE evaluation_summaries (
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  -- '' for all models together
  model_settings_id TEXT NOT NULL,
  -- the last event that it covers: whatever changes a number leaves a later one
  seq INTEGER NOT NULL,
  -- which arithmetic made it
  arithmetic INTEGER NOT NULL,
  summary TEXT NOT NULL CHECK (json_valid(summary)),
  PRIMARY KEY (evaluation_id, model_settings_id)
) STRICT;

-- Counting the runs of an evaluation reads nothing but this.
CREATE INDEX test_runs_counts ON test_runs (evaluation_id, model_settings_id, status, classification) WHERE is_current = 1;
