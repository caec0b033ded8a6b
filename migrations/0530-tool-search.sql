-- The transport is still that of the configuration, and again one of the known ones. A configuration
-- that lost its transport gets the one that its other fields belong to.
UPDATE mcp_servers
SET config = json_set(config, '$.transport', CASE
  WHEN config ->> '$.command' IS NOT NULL THEN 'stdio'
  WHEN config ->> '$.folder' IS NOT NULL THEN 'skills'
  ELSE 'streamable-http'
END)
WHERE coalesce(config ->> '$.transport', '') NOT IN ('stdio', 'streamable-http', 'sse', 'skills');
ALTER TABLE mcp_servers DROP COLUMN transport;
ALTER TABLE mcp_servers ADD COLUMN transport TEXT NOT NULL GENERATED ALWAYS AS (config ->> '$.transport') VIRTUAL CHECK (transport IN ('stdio', 'streamable-http', 'sse', 'skills'));

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

-- Any part of a word is found, not only its beginning.
DROP TRIGGER tools_search_insert;
DROP TRIGGER tools_search_delete;
DROP TRIGGER tools_search_update;
DROP TABLE tools_search;
CREATE VIRTUAL TABLE tools_search USING fts5 (name, display_name, description, content = 'tools', content_rowid = 'number', tokenize = 'trigram remove_diacritics 1');

CREATE TRIGGER tools_search_insert AFTER INSERT ON tools BEGIN
  INSERT INTO tools_search (rowid, name, display_name, description) VALUES (NEW.number, NEW.name, NEW.display_name, NEW.description);
END;
CREATE TRIGGER tools_search_delete AFTER DELETE ON tools BEGIN
  INSERT INTO tools_search (tools_search, rowid, name, display_name, description) VALUES ('delete', OLD.number, OLD.name, OLD.display_name, OLD.description);
END;
CREATE TRIGGER tools_search_update AFTER UPDATE OF name, display_name, description ON tools BEGIN
  INSERT INTO tools_search (tools_search, rowid, name, display_name, description) VALUES ('delete', OLD.number, OLD.name, OLD.display_name, OLD.description);
  INSERT INTO tools_search (rowid, name, display_name, description) VALUES (NEW.number, NEW.name, NEW.display_name, NEW.description);
END;

INSERT INTO tools_search (tools_search) VALUES ('rebuild');
