-- Evaluations of tasks: runs that work on a task over several steps, with tools that answer.
CREATE TABLE task_evaluations (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  -- null where the suite came from a file
  suite_id TEXT,
  suite_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'completed', 'incomplete', 'cancelled', 'interrupted')),
  reason TEXT,
  -- what was executed: it never changes
  mode TEXT NOT NULL CHECK (mode IN ('stub', 'read-only', 'full')),
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  suite TEXT NOT NULL CHECK (json_valid(suite)),
  snapshot_id TEXT REFERENCES tool_snapshots(id),
  owner TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  deleted_at TEXT
) STRICT;

CREATE INDEX task_evaluations_snapshot ON task_evaluations (snapshot_id);

CREATE TABLE task_evaluation_models (
  evaluation_id TEXT NOT NULL REFERENCES task_evaluations(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  model_settings_id TEXT NOT NULL REFERENCES model_settings(id),
  price TEXT CHECK (price IS NULL OR json_valid(price)),
  PRIMARY KEY (evaluation_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_evaluation_models_settings ON task_evaluation_models (model_settings_id);

-- Frozen tasks: editing or deleting a task never changes an evaluation.
CREATE TABLE task_evaluation_tasks (
  evaluation_id TEXT NOT NULL REFERENCES task_evaluations(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  key TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  PRIMARY KEY (evaluation_id, position)
) STRICT;

CREATE TABLE task_runs (
  id TEXT PRIMARY KEY,
  evaluation_id TEXT NOT NULL REFERENCES task_evaluations(id) ON DELETE CASCADE,
  model_settings_id TEXT NOT NULL REFERENCES model_settings(id),
  -- the place of its task in the evaluation
  position INTEGER NOT NULL,
  repetition INTEGER NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 1,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  outcome TEXT CHECK (outcome IN ('succeeded', 'check_failed', 'limit', 'loop', 'refused', 'no_answer', 'not_scored')),
  failure TEXT,
  error_message TEXT,
  -- why it ended, and what state checks read
  ending TEXT CHECK (ending IS NULL OR json_valid(ending)),
  states TEXT CHECK (states IS NULL OR json_valid(states)),
  verdict TEXT CHECK (verdict IS NULL OR json_valid(verdict)),
  facts TEXT CHECK (facts IS NULL OR json_valid(facts)),
  -- 1 on the last attempt of its task, model and repetition: the only one that counts
  is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
  created_at TEXT NOT NULL,
  completed_at TEXT
) STRICT;

CREATE UNIQUE INDEX task_runs_place ON task_runs (evaluation_id, position, model_settings_id, repetition, attempt);
CREATE INDEX task_runs_counts ON task_runs (evaluation_id, status, outcome) WHERE is_current = 1;
CREATE INDEX task_runs_model ON task_runs (model_settings_id);

-- The trajectory: one request to the model, its reply, and the results of its calls.
CREATE TABLE task_steps (
  task_run_id TEXT NOT NULL REFERENCES task_runs(id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  -- a request begins as the one before it: how many of its characters, and the rest
  request_shared INTEGER NOT NULL,
  request_rest TEXT NOT NULL,
  response TEXT NOT NULL,
  -- SHA-256 of request and response
  request_hash TEXT NOT NULL,
  response_hash TEXT NOT NULL,
  PRIMARY KEY (task_run_id, step)
) STRICT;

CREATE TABLE task_events (
  evaluation_id TEXT NOT NULL REFERENCES task_evaluations(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL CHECK (json_valid(data)),
  PRIMARY KEY (evaluation_id, seq)
) STRICT, WITHOUT ROWID;
