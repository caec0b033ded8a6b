-- What a server offers besides tools: kind, address, media type and arguments. Null for a tool.
ALTER TABLE tool_contents ADD COLUMN item TEXT CHECK (item IS NULL OR json_valid(item));

-- Prompts, resources and resource templates of a listing. A snapshot's tools never include them.
CREATE TABLE snapshot_items (
  snapshot_id TEXT NOT NULL REFERENCES tool_snapshots(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('prompt', 'resource', 'template')),
  -- the name of a prompt, else the address: no other item of its kind has it
  key TEXT NOT NULL CHECK (length(key) > 0),
  item_hash TEXT NOT NULL REFERENCES tool_contents(hash),
  PRIMARY KEY (snapshot_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX snapshot_items_hash ON snapshot_items (item_hash);
