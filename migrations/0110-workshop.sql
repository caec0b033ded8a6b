CREATE TABLE tool_categories (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  description TEXT,
  -- no cycles: checked with the write, in its transaction
  parent_id TEXT REFERENCES tool_categories(id) CHECK (parent_id IS NULL OR parent_id <> id),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX tool_categories_parent ON tool_categories (parent_id);

-- The rowid has a name, because the search index refers to it.
CREATE TABLE tools (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100 AND name NOT GLOB '*[^a-z0-9_]*'),
  display_name TEXT NOT NULL CHECK (length(display_name) > 0),
  description TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'ACTIVE', 'DEPRECATED', 'DISABLED')),
  category_id TEXT REFERENCES tool_categories(id),
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  input_schema TEXT NOT NULL CHECK (json_valid(input_schema)),
  output_schema TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(output_schema)),
  script_content TEXT,
  executor_type TEXT NOT NULL DEFAULT 'python' CHECK (executor_type IN ('python', 'http', 'shell', 'mcp')),
  executor_config TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(executor_config)),
  version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- deleted, and still to be had back
  deleted_at TEXT,
  CHECK (executor_type <> 'python' OR script_content IS NOT NULL)
) STRICT;

-- A deleted tool gives its name free.
CREATE UNIQUE INDEX tools_name ON tools (name) WHERE deleted_at IS NULL;
CREATE INDEX tools_listed ON tools (deleted_at, name);
CREATE INDEX tools_status ON tools (status, name) WHERE deleted_at IS NULL;
CREATE INDEX tools_category ON tools (category_id);

CREATE VIRTUAL TABLE tools_search USING fts5 (name, display_name, description, content = 'tools', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');

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

CREATE TABLE tool_versions (
  id TEXT PRIMARY KEY,
  tool_id TEXT NOT NULL REFERENCES tools(id) ON DELETE CASCADE,
  version INTEGER NOT NULL CHECK (version >= 1),
  changelog TEXT,
  name TEXT NOT NULL,
  display_name TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  executor_type TEXT NOT NULL CHECK (executor_type IN ('python', 'http', 'shell', 'mcp')),
  input_schema TEXT NOT NULL CHECK (json_valid(input_schema)),
  output_schema TEXT NOT NULL CHECK (json_valid(output_schema)),
  executor_config TEXT NOT NULL CHECK (json_valid(executor_config)),
  script_content TEXT,
  is_latest INTEGER NOT NULL DEFAULT 1 CHECK (is_latest IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (tool_id, version)
) STRICT;

CREATE UNIQUE INDEX tool_versions_latest ON tool_versions (tool_id) WHERE is_latest = 1;

CREATE TABLE tool_executions (
  id TEXT PRIMARY KEY,
  tool_id TEXT NOT NULL REFERENCES tools(id) ON DELETE CASCADE,
  -- as it was called then
  tool_name TEXT NOT NULL,
  version INTEGER NOT NULL,
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
  FOREIGN KEY (tool_id, version) REFERENCES tool_versions (tool_id, version) ON DELETE CASCADE
) STRICT;

CREATE INDEX tool_executions_created ON tool_executions (created_at, id);
CREATE INDEX tool_executions_tool ON tool_executions (tool_id, created_at);
CREATE INDEX tool_executions_open ON tool_executions (status) WHERE completed_at IS NULL;
CREATE INDEX tool_executions_caller ON tool_executions (caller_id, created_at);
CREATE INDEX tool_executions_trace ON tool_executions (trace_id) WHERE trace_id IS NOT NULL;

-- What an editor held when it was last looked at; the key is a tool's id, or "new".
CREATE TABLE tool_drafts (
  id TEXT PRIMARY KEY,
  content TEXT NOT NULL CHECK (json_valid(content)),
  base_version INTEGER,
  updated_at TEXT NOT NULL
) STRICT;

-- Counts the changes of what is served, for other processes to see.
CREATE TABLE workshop_revision (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO workshop_revision (only, revision) VALUES (1, 0);
