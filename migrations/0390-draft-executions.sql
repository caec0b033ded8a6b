-- A draft runs before it is saved, and maybe before its tool exists: such an execution has no
-- version, and no tool if the draft is that of a new one.
CREATE TABLE executions_with_drafts (
  id TEXT PRIMARY KEY,
  tool_id TEXT REFERENCES tools(id) ON DELETE CASCADE,
  -- as it was called then
  tool_name TEXT NOT NULL,
  -- null for a draft
  version INTEGER,
  status TEXT NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'RUNNING', 'SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')),
  input_data TEXT NOT NULL CHECK (json_valid(input_data)),
  output_data TEXT CHECK (output_data IS NULL OR json_valid(output_data)),
  error_code TEXT,
  error_message TEXT,
  stderr_tail TEXT NOT NULL DEFAULT '',
  -- what was written where it was no result
  output_excerpt TEXT,
  started_at TEXT,
  completed_at TEXT,
  duration_ms INTEGER,
  caller_id TEXT,
  trace_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK ((status IN ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')) = (completed_at IS NOT NULL)),
  CHECK (tool_id IS NOT NULL OR version IS NULL),
  FOREIGN KEY (tool_id, version) REFERENCES tool_versions (tool_id, version) ON DELETE CASCADE
) STRICT;

INSERT INTO executions_with_drafts (
  id, tool_id, tool_name, version, status, input_data, output_data, error_code, error_message,
  stderr_tail, output_excerpt, started_at, completed_at, duration_ms, caller_id, trace_id,
  created_at, updated_at
)
SELECT
  id, tool_id, tool_name, version, status, input_data, output_data, error_code, error_message,
  stderr_tail, output_excerpt, started_at, completed_at, duration_ms, caller_id, trace_id,
  created_at, updated_at
FROM tool_executions;

DROP TABLE tool_executions;
ALTER TABLE executions_with_drafts RENAME TO tool_executions;

CREATE INDEX tool_executions_created ON tool_executions (created_at, id);
CREATE INDEX tool_executions_tool ON tool_executions (tool_id, created_at);
CREATE INDEX tool_executions_open ON tool_executions (status) WHERE completed_at IS NULL;
CREATE INDEX tool_executions_caller ON tool_executions (caller_id, created_at);
CREATE INDEX tool_executions_trace ON tool_executions (trace_id) WHERE trace_id IS NOT NULL;
