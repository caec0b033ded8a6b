-- What was typed for a case and not saved yet: it outlives the window. `draft_key` is the id of the case, or 'new'.
CREATE TABLE suite_drafts (
  suite_id TEXT NOT NULL REFERENCES suites(id) ON DELETE CASCADE,
  draft_key TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  updated_at TEXT NOT NULL,
  PRIMARY KEY (suite_id, draft_key)
) STRICT, WITHOUT ROWID;
