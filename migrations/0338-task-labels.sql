-- What people said about a judge check of a run: whether it meets the rubric.
CREATE TABLE task_labels (
  task_run_id TEXT NOT NULL REFERENCES task_runs(id) ON DELETE CASCADE,
  check_id TEXT NOT NULL CHECK (length(check_id) > 0),
  -- 1 = yes, 0 = no
  label INTEGER NOT NULL CHECK (label IN (0, 1)),
  created_at TEXT NOT NULL,
  PRIMARY KEY (task_run_id, check_id)
) STRICT, WITHOUT ROWID;
