-- Which tools a run was offered: with top k, with servers of a case, and without what its provider
-- does not take, fewer than its snapshot has. Equal lists are stored once.
CREATE TABLE offered_tools (
  list_id TEXT NOT NULL,
  snapshot_tool_id INTEGER NOT NULL REFERENCES snapshot_tools(id) ON DELETE CASCADE,
  PRIMARY KEY (list_id, snapshot_tool_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX offered_tools_tool ON offered_tools (snapshot_tool_id);

-- Null until the run ends, and for runs of earlier versions.
ALTER TABLE test_runs ADD COLUMN offered_list_id TEXT;

DROP VIEW tool_definitions;
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

-- A case without servers of its own has those of its suite.
INSERT OR IGNORE INTO test_case_mcp_servers (test_case_id, mcp_server_id)
SELECT c.id, m.id
FROM test_cases c
JOIN suites u ON u.id = c.suite_id
JOIN json_each(u.servers) j
JOIN mcp_servers m ON m.name = j.value
WHERE c.servers = '[]';
