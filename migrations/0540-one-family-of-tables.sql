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
  ('events', (SELECT count(*) FROM evaluation_events) + (SELECT count(*) FROM task_events));

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

DROP TABLE counted_rows;

-- A tool as a point in time saw it, by run: the columns of the evaluation's data model. Runs of
-- earlier versions list the tools of their servers, and with top k those of their request.
CREATE VIEW tool_definitions AS
WITH offered AS (
  SELECT r.id AS run_id, r.created_at AS created_at, o.snapshot_tool_id AS snapshot_tool_id
  FROM test_runs r
  JOIN offered_tools o ON o.list_id = r.offered_list_id
  UNION ALL
  SELECT r.id, r.created_at, s.id
  FROM test_runs r
  JOIN evaluations e ON e.id = r.evaluation_id
  JOIN snapshot_tools s ON s.snapshot_id = e.snapshot_id
  LEFT JOIN tool_contents t ON t.hash = s.tool_hash
  LEFT JOIN evaluation_cases ec ON ec.evaluation_id = e.id AND ec.position = r.position
  LEFT JOIN case_contents k ON k.hash = ec.case_hash
  WHERE r.offered_list_id IS NULL AND r.status IN ('completed', 'failed')
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
