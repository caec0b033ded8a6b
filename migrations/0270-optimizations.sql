-- A search for better tool descriptions. What it asked of models is kept answer by answer, so that it goes on
-- after an interruption where it was, and can be repeated.
CREATE TABLE optimizations (
  id TEXT PRIMARY KEY,
  -- the suite whose proof half it uses up, by id, or by name if it comes from a file
  suite TEXT NOT NULL,
  suite_name TEXT NOT NULL,
  base_evaluation_id TEXT NOT NULL,
  base_number INTEGER NOT NULL,
  model_settings_id TEXT NOT NULL,
  model_name TEXT NOT NULL,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'interrupted', 'cancelled', 'failed', 'nothing_found', 'accepted', 'rejected', 'cannot_tell')),
  -- why the search ended, or why it failed
  stopped TEXT,
  proof_evaluation_id TEXT,
  -- which candidate of its suite it is, from the moment its proof begins
  proof_rank INTEGER CHECK (proof_rank > 0),
  result TEXT CHECK (result IS NULL OR json_valid(result)),
  created_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;

CREATE INDEX optimizations_suite ON optimizations (suite, proof_rank);

CREATE TABLE optimization_steps (
  optimization_id TEXT NOT NULL REFERENCES optimizations(id) ON DELETE CASCADE,
  step INTEGER NOT NULL CHECK (step > 0),
  content TEXT NOT NULL CHECK (json_valid(content)),
  PRIMARY KEY (optimization_id, step)
) STRICT;

-- Each question in order: some cases with a candidate, or a proposal.
CREATE TABLE optimization_answers (
  optimization_id TEXT NOT NULL REFERENCES optimizations(id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  -- the evaluation that answers it; null for a proposal
  evaluation_id TEXT,
  -- null until it is answered
  answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
  spent TEXT CHECK (spent IS NULL OR json_valid(spent)),
  PRIMARY KEY (optimization_id, position)
) STRICT;

CREATE INDEX optimization_answers_evaluation ON optimization_answers (evaluation_id);
