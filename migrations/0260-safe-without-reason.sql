-- A reason for marking a signal as safe is optional: the column no longer rejects an empty text.
CREATE TABLE accepted_findings_next (
  fingerprint TEXT PRIMARY KEY,
  server_name TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  accepted_at TEXT NOT NULL
) STRICT;
INSERT INTO accepted_findings_next SELECT fingerprint, server_name, tool_name, reason, accepted_at FROM accepted_findings;
DROP TABLE accepted_findings;
ALTER TABLE accepted_findings_next RENAME TO accepted_findings;
