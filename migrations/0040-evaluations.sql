-- Immutable, without credentials.
CREATE TABLE model_settings (
  id TEXT PRIMARY KEY,
  provider TEXT NOT NULL CHECK (length(provider) BETWEEN 1 AND 100),
  model TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 100),
  timeout INTEGER NOT NULL DEFAULT 30 CHECK (timeout BETWEEN 1 AND 300),
  temperature REAL NOT NULL DEFAULT 0.4 CHECK (temperature BETWEEN 0.0 AND 2.0),
  max_retries INTEGER NOT NULL DEFAULT 3 CHECK (max_retries BETWEEN 0 AND 10),
  base_url TEXT,
  replay_file TEXT,
  wire_api TEXT NOT NULL,
  system_prompt TEXT,
  -- what was really sent
  sent TEXT NOT NULL CHECK (json_valid(sent)),
  created_at TEXT NOT NULL
) STRICT;

CREATE TRIGGER model_settings_immutable BEFORE UPDATE ON model_settings
BEGIN
  SELECT RAISE(ABORT, 'model_settings rows are immutable');
END;

CREATE TABLE evaluations (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  -- null where the suite came from a file
  suite_id TEXT,
  suite_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'completed', 'incomplete', 'cancelled', 'interrupted')),
  reason TEXT,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  -- system prompt, prior messages and server list of the suite as they were
  suite TEXT NOT NULL CHECK (json_valid(suite)),
  snapshot_id TEXT REFERENCES tool_snapshots(id),
  planned_runs INTEGER NOT NULL,
  owner TEXT,
  scorer TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  deleted_at TEXT
) STRICT;

CREATE INDEX evaluations_suite ON evaluations (suite_id, number);
CREATE INDEX evaluations_snapshot ON evaluations (snapshot_id);

CREATE TABLE evaluation_models (
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  model_settings_id TEXT NOT NULL REFERENCES model_settings(id),
  PRIMARY KEY (evaluation_id, position)
) STRICT, WITHOUT ROWID;

-- Frozen cases, one row for each distinct content.
CREATE TABLE case_contents (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content))
) STRICT;

CREATE TABLE evaluation_cases (
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  -- no foreign key: editing or deleting a case never changes an evaluation
  test_case_id TEXT NOT NULL,
  case_hash TEXT NOT NULL REFERENCES case_contents(hash),
  PRIMARY KEY (evaluation_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluation_cases_hash ON evaluation_cases (case_hash);

CREATE TABLE test_runs (
  id TEXT PRIMARY KEY,
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  test_case_id TEXT NOT NULL,
  model_settings_id TEXT REFERENCES model_settings(id),
  -- the place of its case in the evaluation
  position INTEGER NOT NULL,
  repetition INTEGER NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 1,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  failure TEXT,
  llm_request_raw TEXT,
  llm_response_raw TEXT,
  selected_tool_id INTEGER REFERENCES snapshot_tools(id),
  extracted_parameters TEXT,
  -- what scoring reads, so that a run can be scored again without a model
  observation TEXT,
  confidence_score REAL CHECK (confidence_score BETWEEN 0.0 AND 1.0),
  confidence_method TEXT,
  classification TEXT CHECK (classification IN ('TP', 'FP', 'TN', 'FN')),
  input_tokens INTEGER,
  output_tokens INTEGER,
  execution_time_ms INTEGER CHECK (execution_time_ms > 0),
  error_message TEXT,
  -- 1 on the last attempt of its case, model and repetition: the only one that counts
  is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
  created_at TEXT NOT NULL,
  completed_at TEXT
) STRICT;

CREATE UNIQUE INDEX test_runs_place ON test_runs (evaluation_id, position, model_settings_id, repetition, attempt);
CREATE INDEX test_runs_status ON test_runs (evaluation_id, status);
CREATE INDEX test_runs_test_case ON test_runs (test_case_id);
CREATE INDEX test_runs_created ON test_runs (created_at);
CREATE INDEX test_runs_model ON test_runs (model_settings_id);
CREATE INDEX test_runs_selected ON test_runs (selected_tool_id);

CREATE TABLE evaluation_results (
  id TEXT PRIMARY KEY,
  test_run_id TEXT NOT NULL UNIQUE REFERENCES test_runs(id) ON DELETE CASCADE,
  classification TEXT NOT NULL CHECK (classification IN ('TP', 'FP', 'TN', 'FN')),
  tool_selection_correct INTEGER NOT NULL CHECK (tool_selection_correct IN (0, 1)),
  parameter_completeness REAL NOT NULL CHECK (parameter_completeness BETWEEN 0.0 AND 1.0),
  parameter_correctness REAL NOT NULL CHECK (parameter_correctness BETWEEN 0.0 AND 1.0),
  -- null: the published schema can't decide
  parameter_type_conformance INTEGER CHECK (parameter_type_conformance IN (0, 1)),
  hallucinated_parameters TEXT CHECK (hallucinated_parameters IS NULL OR json_valid(hallucinated_parameters)),
  matched_parameters INTEGER NOT NULL,
  expected_parameters INTEGER NOT NULL,
  passed INTEGER CHECK (passed IN (0, 1)),
  confidence_category TEXT CHECK (confidence_category IN ('robust', 'needs_clarity', 'misleading', 'wrong_low', 'unmeasured')),
  reasoning TEXT NOT NULL,
  recommendations TEXT NOT NULL CHECK (json_valid(recommendations)),
  -- parameters, matches and missing names as the scorer gave them
  details TEXT NOT NULL CHECK (json_valid(details)),
  scorer TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE evaluation_result_history (
  id INTEGER PRIMARY KEY,
  test_run_id TEXT NOT NULL REFERENCES test_runs(id) ON DELETE CASCADE,
  score TEXT NOT NULL CHECK (json_valid(score)),
  scorer TEXT NOT NULL,
  replaced_at TEXT NOT NULL
) STRICT;

CREATE INDEX evaluation_result_history_run ON evaluation_result_history (test_run_id);

-- The cells that a run adds to the confusion matrix.
CREATE TABLE confusion_units (
  test_run_id TEXT NOT NULL REFERENCES test_runs(id) ON DELETE CASCADE,
  unit INTEGER NOT NULL,
  expected TEXT NOT NULL,
  selected TEXT NOT NULL,
  PRIMARY KEY (test_run_id, unit)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation_events (
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL CHECK (json_valid(data)),
  PRIMARY KEY (evaluation_id, seq)
) STRICT, WITHOUT ROWID;

-- A tool as a point in time saw it, by run: the columns of the evaluation's data model.
CREATE VIEW tool_definitions AS
SELECT
  r.id || ':' || s.id AS id,
  c.name AS name,
  c.description AS description,
  c.input_schema AS input_schema,
  c.output_schema AS output_schema,
  s.mcp_server_id AS mcp_server_id,
  r.id AS test_run_id,
  r.created_at AS created_at,
  r.created_at AS updated_at
FROM test_runs r
JOIN evaluations e ON e.id = r.evaluation_id
JOIN snapshot_tools s ON s.snapshot_id = e.snapshot_id
JOIN tool_contents c ON c.hash = s.tool_hash;
