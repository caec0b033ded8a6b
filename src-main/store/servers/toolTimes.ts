import type { StoreContext } from '../storeContext.ts';

/** Since when the tools of a server's snapshot are what they are. */
export interface ToolTimes {
  /** By name, the first listing with a tool of that name. */
  created: ReadonlyMap<string, string>;
  /**
   * By hash, the first listing since which each one had exactly this text. A text that came back
   * counts from its return.
   */
  updated: ReadonlyMap<string, string>;
}

/** Reads the times of a snapshot's tools from the listings of its server. */
export function openToolTimes({
  db,
}: Pick<StoreContext, 'db'>): (serverId: string, snapshotId: string) => ToolTimes {
  const names = db.prepare<[string, string], { name: string; at: string }>(
    `SELECT c.name AS name, min(l.at) AS at
     FROM (SELECT snapshot_id, min(created_at) AS at FROM server_listings
           WHERE mcp_server_id = ? GROUP BY snapshot_id) l
     JOIN snapshot_tools t ON t.snapshot_id = l.snapshot_id
     JOIN tool_contents c ON c.hash = t.tool_hash
     WHERE c.name IN (
       SELECT k.name FROM snapshot_tools s JOIN tool_contents k ON k.hash = s.tool_hash
       WHERE s.snapshot_id = ?)
     GROUP BY c.name`,
  );
  // Most listings repeat a snapshot, so each snapshot is read once.
  const lastListings = db.prepare<[string, string], { id: string; at: string }>(
    `SELECT snapshot_id AS id, max(created_at) AS at FROM server_listings
     WHERE mcp_server_id = ? AND snapshot_id <> ? GROUP BY snapshot_id ORDER BY at DESC`,
  );
  const missingIn = db
    .prepare<[string, string], string>(
      `SELECT tool_hash FROM snapshot_tools WHERE snapshot_id = ? AND tool_hash NOT IN (
         SELECT tool_hash FROM snapshot_tools WHERE snapshot_id = ?)`,
    )
    .pluck();
  const firstAfter = db
    .prepare<[string, string], string | null>(
      'SELECT min(created_at) FROM server_listings WHERE mcp_server_id = ? AND created_at > ?',
    )
    .pluck();
  const hashesOf = db
    .prepare<[string], string>('SELECT tool_hash FROM snapshot_tools WHERE snapshot_id = ?')
    .pluck();

  return (serverId, snapshotId) => {
    const updated = new Map<string, string>();
    const keep = (hashes: readonly string[], at: string): void => {
      for (const hash of hashes) if (!updated.has(hash)) updated.set(hash, at);
    };
    for (const { id, at } of lastListings.all(serverId, snapshotId))
      keep(missingIn.all(snapshotId, id), firstAfter.get(serverId, at) ?? at);
    keep(hashesOf.all(snapshotId), firstAfter.get(serverId, '') ?? '');
    return {
      created: new Map(names.all(serverId, snapshotId).map(({ name, at }) => [name, at])),
      updated,
    };
  };
}
