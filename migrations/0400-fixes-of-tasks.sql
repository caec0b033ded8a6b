-- Candidates are tried on tasks too. All of before were tried on test cases.
ALTER TABLE rewrites ADD COLUMN unit TEXT NOT NULL DEFAULT 'case' CHECK (unit IN ('case', 'task'));
