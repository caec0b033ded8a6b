-- A check lists tools too. What it finds doesn't count as seen, so it has a requester of its own.
ALTER TABLE server_listings ADD COLUMN requester TEXT NOT NULL DEFAULT 'person' CHECK (requester IN ('person', 'evaluation', 'check'));
UPDATE server_listings SET requester = asked_by;
ALTER TABLE server_listings DROP COLUMN asked_by;
ALTER TABLE server_listings RENAME COLUMN requester TO asked_by;
