CREATE TABLE suites (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  system TEXT,
  messages TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(messages)),
  servers TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(servers)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE test_cases (
  id TEXT PRIMARY KEY,
  suite_id TEXT NOT NULL REFERENCES suites(id) ON DELETE CASCADE,
  -- the id that the suite file gives the case
  key TEXT NOT NULL,
  position INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(name) > 0),
  query TEXT NOT NULL CHECK (length(query) > 0),
  -- the first expected call; all null when no tool should be called
  expected_mcp_server_name TEXT,
  expected_tool_name TEXT,
  expected_parameters TEXT CHECK (expected_parameters IS NULL OR json_valid(expected_parameters)),
  expected_calls TEXT NOT NULL CHECK (json_valid(expected_calls)),
  order_dependent INTEGER NOT NULL DEFAULT 0 CHECK (order_dependent IN (0, 1)),
  allowed_calls TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(allowed_calls)),
  stub_results TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(stub_results)),
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  -- names, so that a case may name a server that is not registered (yet)
  servers TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(servers)),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (suite_id, key)
) STRICT;

CREATE INDEX test_cases_suite ON test_cases (suite_id, position);
CREATE INDEX test_cases_expected_server ON test_cases (expected_mcp_server_name);
CREATE INDEX test_cases_expected_tool ON test_cases (expected_tool_name);

CREATE TRIGGER test_cases_updated_at AFTER UPDATE ON test_cases
WHEN NEW.updated_at = OLD.updated_at
BEGIN
  UPDATE test_cases SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = NEW.id;
END;

-- The registered servers among test_cases.servers, kept in the same transaction as the case and as the server.
CREATE TABLE test_case_mcp_servers (
  test_case_id TEXT NOT NULL REFERENCES test_cases(id) ON DELETE CASCADE,
  mcp_server_id TEXT NOT NULL REFERENCES mcp_servers(id) ON DELETE CASCADE,
  PRIMARY KEY (test_case_id, mcp_server_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX test_case_mcp_servers_server ON test_case_mcp_servers (mcp_server_id);
