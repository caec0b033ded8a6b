-- One row for each distinct tool text, however many evaluations and listings hold it.
CREATE TABLE tool_contents (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0),
  title TEXT,
  description TEXT NOT NULL,
  input_schema TEXT NOT NULL CHECK (json_valid(input_schema)),
  output_schema TEXT CHECK (output_schema IS NULL OR json_valid(output_schema)),
  annotations TEXT CHECK (annotations IS NULL OR json_valid(annotations)),
  -- the object as received, keys in order
  raw TEXT NOT NULL CHECK (json_valid(raw)),
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX tool_contents_name ON tool_contents (name);

-- A frozen set of tools; its id is the hash of what it holds.
CREATE TABLE tool_snapshots (
  id TEXT PRIMARY KEY,
  -- per server: status, error, instructions, protocol version, rejected tools
  servers TEXT NOT NULL CHECK (json_valid(servers)),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE snapshot_tools (
  id INTEGER PRIMARY KEY,
  snapshot_id TEXT NOT NULL REFERENCES tool_snapshots(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  -- no foreign key: a deleted server never changes what was frozen
  mcp_server_id TEXT,
  server_name TEXT NOT NULL,
  tool_hash TEXT NOT NULL REFERENCES tool_contents(hash),
  UNIQUE (snapshot_id, position)
) STRICT;

CREATE INDEX snapshot_tools_hash ON snapshot_tools (tool_hash);
CREATE INDEX snapshot_tools_server ON snapshot_tools (mcp_server_id);

-- A listing of one server's tools outside a run, kept until the server is deleted.
CREATE TABLE server_listings (
  id TEXT PRIMARY KEY,
  mcp_server_id TEXT NOT NULL REFERENCES mcp_servers(id) ON DELETE CASCADE,
  snapshot_id TEXT NOT NULL REFERENCES tool_snapshots(id),
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX server_listings_server ON server_listings (mcp_server_id, created_at);
CREATE INDEX server_listings_snapshot ON server_listings (snapshot_id);
