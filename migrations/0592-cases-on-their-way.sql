-- A hidden suite is one that was removed and can be restored, or it only holds cases that are on
-- their way into a suite. `shown_in` is the suite that the cases of a row belong to: the row itself,
-- the suite that they are moved into meanwhile, or none while they are not yet or no longer part of one.
ALTER TABLE suites ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1));
ALTER TABLE suites ADD COLUMN shown_in TEXT;
-- Counts the moves of its cases: who reads them in parts sees that they moved.
ALTER TABLE suites ADD COLUMN moves INTEGER NOT NULL DEFAULT 0;
UPDATE suites SET shown_in = id;
CREATE INDEX suites_shown_in ON suites (shown_in);

CREATE TRIGGER suites_shown_in_themselves AFTER INSERT ON suites WHEN NEW.hidden = 0
BEGIN
  UPDATE suites SET shown_in = NEW.id WHERE id = NEW.id;
END;

-- The id of a case that replaces another one, until the other one is deleted.
ALTER TABLE test_cases ADD COLUMN kept_id TEXT;
CREATE INDEX test_cases_kept_id ON test_cases (kept_id) WHERE kept_id IS NOT NULL;

-- A case that only moves isn't changed.
DROP TRIGGER test_cases_updated_at;
CREATE TRIGGER test_cases_updated_at AFTER UPDATE ON test_cases
WHEN NEW.updated_at = OLD.updated_at AND NEW.suite_id = OLD.suite_id
BEGIN
  UPDATE test_cases SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = NEW.id;
END;
