-- What the requests of a run may have cost besides its answer: tokens of replies that could not be
-- used, and the number of requests without a count of tokens. Null: nothing.
ALTER TABLE test_runs ADD COLUMN unreported TEXT CHECK (unreported IS NULL OR json_valid(unreported));
