-- Tasks of a suite: what a user says over several turns, and what must hold afterwards.
CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  suite_id TEXT NOT NULL REFERENCES suites(id) ON DELETE CASCADE,
  -- the id that the suite file gives the task
  key TEXT NOT NULL,
  position INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (suite_id, key)
) STRICT;

CREATE INDEX tasks_suite ON tasks (suite_id, position);
