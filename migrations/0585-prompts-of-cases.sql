-- A case may have a system prompt and earlier messages of its own, and a note.
ALTER TABLE test_cases ADD COLUMN system TEXT;
ALTER TABLE test_cases ADD COLUMN messages TEXT CHECK (messages IS NULL OR json_valid(messages));
ALTER TABLE test_cases ADD COLUMN note TEXT;
