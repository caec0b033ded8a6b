CREATE TABLE mcp_servers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  url TEXT NOT NULL UNIQUE,
  transport TEXT NOT NULL CHECK (transport IN ('stdio', 'streamable-http', 'sse')),
  -- command, args, cwd and env, or url and headers; secrets stand as ${secret:name}
  config TEXT NOT NULL CHECK (json_valid(config)),
  status TEXT NOT NULL DEFAULT 'inactive' CHECK (status IN ('active', 'failed', 'inactive')),
  status_reason TEXT,
  last_connected_at TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TRIGGER mcp_servers_updated_at AFTER UPDATE ON mcp_servers
WHEN NEW.updated_at = OLD.updated_at
BEGIN
  UPDATE mcp_servers SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = NEW.id;
END;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

-- What deletions took, so that they can be undone.
CREATE TABLE trash (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('server', 'suite', 'cases', 'evaluation')),
  title TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  deleted_at TEXT NOT NULL
) STRICT;
