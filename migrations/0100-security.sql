-- Labelled corpora that were imported or copied; shipped ones stay files.
CREATE TABLE security_corpora (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  version TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE security_entries (
  corpus_id TEXT NOT NULL REFERENCES security_corpora(id) ON DELETE CASCADE,
  id TEXT NOT NULL CHECK (length(id) > 0),
  position INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  PRIMARY KEY (corpus_id, id)
) STRICT;

-- Findings that somebody took for harmless. The fingerprint holds the hash of the tool's content: a change of the tool lapses it.
CREATE TABLE accepted_findings (
  fingerprint TEXT PRIMARY KEY,
  server_name TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (length(reason) > 0),
  accepted_at TEXT NOT NULL
) STRICT;
