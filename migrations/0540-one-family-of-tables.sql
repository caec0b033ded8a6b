-- Evaluations of cases and of tasks are one family of tables. What was apart is copied to the other
-- side, the smaller one into the larger. Rows are counted before and after: a difference ends the
-- migration, which leaves everything as it was.
CREATE TABLE counted_rows (name TEXT PRIMARY KEY, before INTEGER NOT NULL, after INTEGER) STRICT;
CREATE TRIGGER counted_rows_are_all BEFORE UPDATE ON counted_rows WHEN NEW.after <> NEW.before
BEGIN
  SELECT RAISE(ABORT, 'Of ' || NEW.before || ' ' || NEW.name || ', ' || NEW.after || ' arrived.');
END;

DROP VIEW tool_definitions;
DROP VIEW test_run_records;

INSERT INTO counted_rows (name, before) VALUES
  ('evaluations', (SELECT count(*) FROM evaluations) + (SELECT count(*) FROM task_evaluations)),
  ('models of evaluations', (SELECT count(*) FROM evaluation_models) + (SELECT count(*) FROM task_evaluation_models)),
  ('events', (SELECT count(*) FROM evaluation_events) + (SELECT count(*) FROM task_events)),
  ('frozen cases and tasks', (SELECT count(*) FROM evaluation_cases) + (SELECT count(*) FROM task_evaluation_tasks)),
  ('runs', (SELECT count(*) FROM test_runs) + (SELECT count(*) FROM task_runs)),
  ('steps', (SELECT count(*) FROM task_steps)),
  ('labels', (SELECT count(*) FROM task_labels));

CREATE TABLE evaluations_of_units (
  id TEXT PRIMARY KEY,
  unit TEXT NOT NULL CHECK (unit IN ('case', 'task')),
  -- each unit has its own sequence
  number INTEGER NOT NULL,
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
  deleted_at TEXT,
  UNIQUE (unit, number)
) STRICT;

INSERT INTO evaluations_of_units (
  id, unit, number, suite_id, suite_name, state, reason, settings, suite, snapshot_id, planned_runs,
  owner, scorer, created_at, started_at, completed_at, deleted_at
)
SELECT
  id, 'case', number, suite_id, suite_name, state, reason, settings, suite, snapshot_id, planned_runs,
  owner, scorer, created_at, started_at, completed_at, deleted_at
FROM evaluations ORDER BY rowid;

INSERT INTO evaluations_of_units (
  id, unit, number, suite_id, suite_name, state, reason, settings, suite, snapshot_id, planned_runs,
  owner, created_at, started_at, completed_at, deleted_at
)
SELECT
  id, 'task', number, suite_id, suite_name, state, reason, settings, suite, snapshot_id,
  (SELECT count(*) FROM task_runs r WHERE r.evaluation_id = e.id AND r.is_current = 1),
  owner, created_at, started_at, completed_at, deleted_at
FROM task_evaluations e ORDER BY rowid;

INSERT INTO evaluation_models (evaluation_id, position, model_settings_id, price, refused)
SELECT evaluation_id, position, model_settings_id, price, refused FROM task_evaluation_models;

INSERT INTO evaluation_events (evaluation_id, seq, at, type, data)
SELECT evaluation_id, seq, at, type, data FROM task_events;

UPDATE counted_rows SET after = (SELECT count(*) FROM evaluations_of_units) WHERE name = 'evaluations';
UPDATE counted_rows SET after = (SELECT count(*) FROM evaluation_models) WHERE name = 'models of evaluations';
UPDATE counted_rows SET after = (SELECT count(*) FROM evaluation_events) WHERE name = 'events';

DROP TABLE task_events;
DROP TABLE task_evaluation_models;
DROP TABLE evaluations;
-- Tables that refer to evaluations of tasks refer to the one table from now on: renaming a table
-- renames it in them too.
DROP TABLE task_evaluations;
ALTER TABLE evaluations_of_units RENAME TO task_evaluations;
ALTER TABLE task_evaluations RENAME TO evaluations;

CREATE INDEX evaluations_suite ON evaluations (suite_id, number);
CREATE INDEX evaluations_snapshot ON evaluations (snapshot_id);
CREATE INDEX evaluation_models_settings ON evaluation_models (model_settings_id);

-- Frozen tasks are stored by their content, as frozen cases are. The query is what the user says.
ALTER TABLE case_contents RENAME TO entry_contents;
ALTER TABLE evaluation_cases RENAME TO entries;
ALTER TABLE entries RENAME COLUMN test_case_id TO source_id;
ALTER TABLE entries RENAME COLUMN case_key TO key;
ALTER TABLE entries RENAME COLUMN case_hash TO content_hash;

INSERT OR IGNORE INTO entry_contents (hash, name, query, content)
SELECT
  sha256(content),
  content ->> '$.name',
  coalesce((SELECT group_concat(value, char(10) ORDER BY key) FROM json_each(content, '$.turns')), ''),
  content
FROM task_evaluation_tasks;

INSERT INTO entries (evaluation_id, position, source_id, key, content_hash)
SELECT evaluation_id, position, task_id, key, sha256(content) FROM task_evaluation_tasks;

UPDATE counted_rows SET after = (SELECT count(*) FROM entries) WHERE name = 'frozen cases and tasks';
DROP TABLE task_evaluation_tasks;

-- What scoring reads of a run of a task besides its steps is its observation: how it ended, the
-- states that checks read, and what a simulated user said.
ALTER TABLE test_runs RENAME COLUMN test_case_id TO source_id;
ALTER TABLE test_runs ADD COLUMN verdict TEXT CHECK (verdict IS NULL OR json_valid(verdict));
ALTER TABLE test_runs ADD COLUMN facts TEXT CHECK (facts IS NULL OR json_valid(facts));
-- US dollars that were paid for the run of a task so far, where the evaluation has a spend limit.
ALTER TABLE test_runs ADD COLUMN spent_usd REAL NOT NULL DEFAULT 0 CHECK (spent_usd >= 0);

INSERT INTO test_runs (
  id, evaluation_id, source_id, model_settings_id, position, repetition, attempt, status, outcome,
  failure, error_message, observation, verdict, facts, spent_usd, is_current, created_at, completed_at
)
SELECT
  r.id, r.evaluation_id, t.source_id, r.model_settings_id, r.position, r.repetition, r.attempt,
  r.status, r.outcome, r.failure, r.error_message,
  CASE
    WHEN r.ending IS NULL THEN NULL
    WHEN r.said IS NULL THEN json_object('end', json(r.ending), 'states', json(r.states))
    ELSE json_object('end', json(r.ending), 'states', json(r.states), 'user', json(r.said))
  END,
  r.verdict, r.facts, r.spent_usd, r.is_current, r.created_at, r.completed_at
FROM task_runs r
JOIN entries t ON t.evaluation_id = r.evaluation_id AND t.position = r.position
ORDER BY r.rowid;

UPDATE counted_rows SET after = (SELECT count(*) FROM test_runs) WHERE name = 'runs';

-- As above: steps and labels refer to the one table from now on, and are not copied. The request and
-- the reply of a case stay in its run: moving them would write most of a workspace anew.
DROP TABLE task_runs;
ALTER TABLE test_runs RENAME TO task_runs;
ALTER TABLE task_runs RENAME TO runs;
ALTER TABLE task_steps RENAME TO steps;
ALTER TABLE steps RENAME COLUMN task_run_id TO run_id;
ALTER TABLE task_labels RENAME TO labels;
ALTER TABLE labels RENAME COLUMN task_run_id TO run_id;

UPDATE counted_rows SET after = (SELECT count(*) FROM steps JOIN runs ON runs.id = steps.run_id) WHERE name = 'steps';
UPDATE counted_rows SET after = (SELECT count(*) FROM labels JOIN runs ON runs.id = labels.run_id) WHERE name = 'labels';
DROP TABLE counted_rows;

-- The runs of cases with the columns that people read them by.
CREATE VIEW test_runs AS
SELECT
  r.id, r.evaluation_id, r.source_id AS test_case_id, r.model_settings_id, r.position, r.repetition,
  r.attempt, r.status, r.failure, r.llm_request_raw, r.llm_response_raw, r.selected_tool_id,
  r.extracted_parameters, r.observation, r.confidence_score, r.confidence_method, r.classification,
  r.input_tokens, r.output_tokens, r.execution_time_ms, r.error_message, r.is_current, r.created_at,
  r.completed_at, r.outcome, r.cause_expected, r.cause_called, r.offered_list_id, r.unreported
FROM runs r
JOIN evaluations e ON e.id = r.evaluation_id
WHERE e.unit = 'case';

-- A tool as a point in time saw it, by run: the columns of the evaluation's data model. Runs of
-- earlier versions list the tools of their servers, and with top k those of their request.
CREATE VIEW tool_definitions AS
WITH offered AS (
  SELECT r.id AS run_id, r.created_at AS created_at, o.snapshot_tool_id AS snapshot_tool_id
  FROM runs r
  JOIN offered_tools o ON o.list_id = r.offered_list_id
  UNION ALL
  SELECT r.id, r.created_at, s.id
  FROM runs r
  JOIN evaluations e ON e.id = r.evaluation_id
  JOIN snapshot_tools s ON s.snapshot_id = e.snapshot_id
  LEFT JOIN tool_contents t ON t.hash = s.tool_hash
  LEFT JOIN entries ec ON ec.evaluation_id = e.id AND ec.position = r.position
  LEFT JOIN entry_contents k ON k.hash = ec.content_hash
  WHERE e.unit = 'case' AND r.offered_list_id IS NULL AND r.status IN ('completed', 'failed')
    AND s.server_name IN (
      SELECT value FROM json_each(coalesce(
        json_extract(e.settings, '$.servers'),
        CASE WHEN json_array_length(k.content, '$.servers') > 0 THEN json_extract(k.content, '$.servers') END,
        json_extract(e.suite, '$.servers'),
        json_array(s.server_name)
      ))
    )
    AND (
      e.settings ->> '$.topK' IS NULL
      OR EXISTS (
        SELECT 1 FROM json_each(r.llm_request_raw, '$.tools."$only"')
        WHERE value = s.server_name || ':' || t.name
      )
    )
)
SELECT
  o.run_id || ':' || s.id AS id,
  c.name AS name,
  c.description AS description,
  c.input_schema AS input_schema,
  c.output_schema AS output_schema,
  s.mcp_server_id AS mcp_server_id,
  o.run_id AS test_run_id,
  o.created_at AS created_at,
  o.created_at AS updated_at
FROM offered o
JOIN snapshot_tools s ON s.id = o.snapshot_tool_id
JOIN tool_contents c ON c.hash = s.tool_hash;

-- Runs with the columns of the evaluation's data model: the selected tool is one of tool_definitions.
CREATE VIEW test_run_records AS
SELECT
  id,
  test_case_id,
  model_settings_id,
  status,
  llm_response_raw,
  id || ':' || selected_tool_id AS selected_tool_id,
  extracted_parameters,
  confidence_score,
  classification,
  execution_time_ms,
  error_message,
  created_at,
  completed_at
FROM test_runs;
