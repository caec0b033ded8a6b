-- Where an imported case came from (format, converter, hash of the source, its id there); null for a case that was written here.
ALTER TABLE test_cases ADD COLUMN origin TEXT CHECK (origin IS NULL OR json_valid(origin));
