-- Tokens of each distinct tool text, by encoding: counted once, however many listings and evaluations hold it.
CREATE TABLE token_counts (
  tool_hash TEXT NOT NULL REFERENCES tool_contents(hash) ON DELETE CASCADE,
  encoding TEXT NOT NULL CHECK (encoding IN ('cl100k_base', 'o200k_base')),
  token_count INTEGER NOT NULL CHECK (token_count >= 0),
  name_tokens INTEGER NOT NULL,
  description_tokens INTEGER NOT NULL,
  input_schema_tokens INTEGER NOT NULL,
  output_schema_tokens INTEGER NOT NULL,
  structure_tokens INTEGER NOT NULL,
  PRIMARY KEY (tool_hash, encoding),
  CHECK (token_count = name_tokens + description_tokens + input_schema_tokens + output_schema_tokens + structure_tokens)
) STRICT, WITHOUT ROWID;

-- Corpora, golden sets and baselines of this workspace. A version never changes: a refresh is the next one.
CREATE TABLE datasets (
  kind TEXT NOT NULL CHECK (kind IN ('corpus', 'golden', 'baseline')),
  version TEXT NOT NULL CHECK (length(version) > 0),
  content TEXT NOT NULL CHECK (json_valid(content)),
  -- where it came from, for the eye
  origin TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (kind, version)
) STRICT;

CREATE TRIGGER datasets_never_change BEFORE UPDATE OF kind, version, content ON datasets
BEGIN
  SELECT RAISE(ABORT, 'a version of a dataset never changes');
END;

-- One suite measured with only the best k tools of a retriever shown, for several k: an evaluation each.
CREATE TABLE frontiers (
  id TEXT PRIMARY KEY,
  suite_name TEXT NOT NULL,
  encoding TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE frontier_points (
  frontier_id TEXT NOT NULL REFERENCES frontiers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  retriever TEXT NOT NULL,
  -- null: every tool
  k INTEGER CHECK (k > 0),
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  PRIMARY KEY (frontier_id, position)
) STRICT;

CREATE INDEX frontier_points_evaluation ON frontier_points (evaluation_id);

-- Which kinds of things can be deleted is the program's to say, not the table's: it grows with every room.
CREATE TABLE trash_of_any_kind (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (length(kind) > 0),
  title TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  deleted_at TEXT NOT NULL
) STRICT;
INSERT INTO trash_of_any_kind SELECT id, kind, title, content, deleted_at FROM trash;
DROP TABLE trash;
ALTER TABLE trash_of_any_kind RENAME TO trash;
