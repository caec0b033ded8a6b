import { z } from 'zod';
import { listingRequester } from '../../../src-shared/domain/tool.ts';
import { namingConflicts, defineTable } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { openToolTimes, type ToolTimes } from './toolTimes.ts';

/** A listing of one server's tools outside a run. Its snapshot holds only that server. */
export const storedListing = z.object({
  id: z.string(),
  serverId: z.string(),
  snapshotId: z.string(),
  createdAt: z.string(),
  askedBy: listingRequester,
});
export type StoredListing = z.infer<typeof storedListing>;

interface ListingOverview {
  serverId: string;
  toolCount: number;
  listedAt: string;
  /** Tools that differ from the last listing that a person asked for. */
  changedTools: number;
  /** The same for prompts, resources and templates of kinds that both listings have. */
  changedItems: number;
}

interface EarlierDescription {
  description: string;
  until: string;
  /** A list of input schema, output schema and annotations, as JSON. */
  call: string;
}

export interface ServerListingStore {
  /** Also restores a listing of a deleted server. */
  add(listing: StoredListing): void;
  latest(serverId: string): StoredListing | null;
  /** Newest first. */
  list(serverId: string, limit?: number): StoredListing[];
  /** The last one up to a moment that a person asked for. Null where there is none. */
  seenBy(serverId: string, until: string): StoredListing | null;
  /** Listings after one moment and up to another, oldest first. */
  between(serverId: string, after: string, until: string): StoredListing[];
  /**
   * Since when a server publishes what one of its snapshots holds: the first listing with the same
   * content, for each tool or other item by its hash, and for the instructions.
   */
  firstSeen(
    serverId: string,
    snapshotId: string,
  ): { tools: ReadonlyMap<string, string>; instructions: string | null };
  toolTimes(serverId: string, snapshotId: string): ToolTimes;
  /**
   * The descriptions that a server listed for a tool up to a moment and before it had `current`, with
   * the last time of each and the schemas and annotations then, as JSON, newest first. Empty for a
   * server that is not registered.
   */
  earlierTexts(asked: {
    server: string;
    tool: string;
    current: string;
    until: string;
  }): EarlierDescription[];
  /** For each server, the last listing that succeeded and its number of tools. */
  overview(): ListingOverview[];
}

const table = defineTable('server_listings', {
  id: 'text',
  serverId: { column: 'mcp_server_id', kind: 'text' },
  snapshotId: 'text',
  createdAt: 'text',
  askedBy: 'text',
});

/** The row of the last listing of a server `m` that succeeded and meets a condition, as SQL. */
export const succeededListing = (condition: string): string =>
  `SELECT g.rowid FROM server_listings g JOIN tool_snapshots s ON s.id = g.snapshot_id
   WHERE g.mcp_server_id = m.id AND s.servers ->> '$[0].status' = 'listed' AND ${condition}
   ORDER BY g.created_at DESC, g.rowid DESC LIMIT 1`;

/** The kinds of items that a listing knows, as SQL: those of a failed list are not known. */
const knownKinds = (listing: string): string =>
  `SELECT k.value ->> '$.kind' FROM tool_snapshots s, json_each(s.servers -> '$[0].items') k
   WHERE s.id = ${listing}.snapshot_id AND k.value ->> '$.status' <> 'failed'`;

export function openServerListings({ db, transaction }: StoreContext): ServerListingStore {
  const insert = db.prepare<[StoredListing]>(table.insert());
  const newest = db.prepare<[string, number], StoredListing>(
    `SELECT ${table.columns} FROM server_listings WHERE mcp_server_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`,
  );
  const seen = db.prepare<[string, string], StoredListing>(
    `SELECT ${table.columns} FROM server_listings WHERE mcp_server_id = ? AND created_at <= ? AND asked_by = 'person' ORDER BY created_at DESC, rowid DESC LIMIT 1`,
  );
  const between = db.prepare<[string, string, string], StoredListing>(
    `SELECT ${table.columns} FROM server_listings WHERE mcp_server_id = ? AND created_at > ? AND created_at <= ? ORDER BY created_at, rowid`,
  );
  const texts = db.prepare<[server: string, tool: string, until: string], EarlierDescription>(
    // SQLite takes what is not grouped from the row with the maximum.
    `SELECT c.description AS description, max(l.created_at) AS until,
       json_array(json(c.input_schema), json(c.output_schema), json(c.annotations)) AS call
     FROM mcp_servers m JOIN server_listings l ON l.mcp_server_id = m.id
     JOIN snapshot_tools t ON t.snapshot_id = l.snapshot_id
     JOIN tool_contents c ON c.hash = t.tool_hash
     WHERE m.name = ? AND c.name = ? AND l.created_at <= ?
     GROUP BY c.description ORDER BY until DESC LIMIT 100`,
  );
  // Most listings repeat a snapshot, so each snapshot is read once.
  const firstListings =
    '(SELECT snapshot_id, min(created_at) AS at FROM server_listings WHERE mcp_server_id = ? GROUP BY snapshot_id)';
  const firstTools = db.prepare<[string, string], { hash: string; at: string }>(
    `SELECT t.tool_hash AS hash, min(l.at) AS at FROM ${firstListings} l
     JOIN snapshot_tools t ON t.snapshot_id = l.snapshot_id
     WHERE t.tool_hash IN (SELECT tool_hash FROM snapshot_tools WHERE snapshot_id = ?)
     GROUP BY t.tool_hash`,
  );
  const firstItems = db.prepare<[string, string], { hash: string; at: string }>(
    `SELECT i.item_hash AS hash, min(l.at) AS at FROM ${firstListings} l
     JOIN snapshot_items i ON i.snapshot_id = l.snapshot_id
     WHERE i.item_hash IN (SELECT item_hash FROM snapshot_items WHERE snapshot_id = ?)
     GROUP BY i.item_hash`,
  );
  const firstInstructions = db.prepare<[string, string], { at: string | null }>(
    `SELECT min(l.at) AS at FROM ${firstListings} l
     JOIN tool_snapshots s ON s.id = l.snapshot_id JOIN tool_snapshots n ON n.id = ?
     WHERE s.servers ->> '$[0].instructions' = n.servers ->> '$[0].instructions'`,
  );
  const overview = db.prepare<
    [],
    ListingOverview
  >(`SELECT m.id AS serverId, l.created_at AS listedAt,
      (SELECT count(*) FROM snapshot_tools t WHERE t.snapshot_id = l.snapshot_id) AS toolCount,
      CASE WHEN p.snapshot_id <> l.snapshot_id THEN (
        SELECT count(DISTINCT c.name) FROM tool_contents c WHERE c.hash IN (
          SELECT t.tool_hash FROM snapshot_tools t
          WHERE t.snapshot_id IN (l.snapshot_id, p.snapshot_id)
          GROUP BY t.tool_hash HAVING count(DISTINCT t.snapshot_id) = 1)
      ) ELSE 0 END AS changedTools,
      CASE WHEN p.snapshot_id <> l.snapshot_id THEN (
        SELECT count(*) FROM (
          SELECT i.kind, i.key FROM snapshot_items i
          WHERE i.snapshot_id IN (l.snapshot_id, p.snapshot_id)
            AND i.kind IN (${knownKinds('l')}) AND i.kind IN (${knownKinds('p')})
          GROUP BY i.kind, i.key HAVING count(*) = 1 OR count(DISTINCT i.item_hash) > 1)
      ) ELSE 0 END AS changedItems
    FROM mcp_servers m
    JOIN server_listings l ON l.rowid = (${succeededListing('1')})
    LEFT JOIN server_listings p ON p.rowid = (${succeededListing("g.asked_by = 'person'")})`);

  return {
    add: (listing) =>
      transaction(() => {
        namingConflicts(
          `The listing of server ${listing.serverId}`,
          {
            'foreign key': () => ({
              thing: `The server ${listing.serverId}`,
              cause: "It doesn't exist, or its snapshot doesn't.",
              nextStep: 'Restore the server first.',
            }),
            'server_listings.id': () => ({
              thing: `The listing ${listing.id}`,
              cause: 'It is there already.',
              nextStep: 'Reload the list.',
            }),
          },
          () => insert.run(listing),
        );
      }),
    latest: (serverId) => newest.get(serverId, 1) ?? null,
    list: (serverId, limit = 1000) => newest.all(serverId, limit),
    seenBy: (serverId, until) => seen.get(serverId, until) ?? null,
    between: (serverId, after, until) => between.all(serverId, after, until),
    firstSeen: (serverId, snapshotId) => ({
      tools: new Map(
        [...firstTools.all(serverId, snapshotId), ...firstItems.all(serverId, snapshotId)].map(
          ({ hash, at }) => [hash, at],
        ),
      ),
      instructions: firstInstructions.get(serverId, snapshotId)?.at ?? null,
    }),
    toolTimes: openToolTimes({ db }),
    earlierTexts: ({ server, tool, current, until }) => {
      const found = texts.all(server, tool, until);
      const since = found.findIndex(({ description }) => description === current);
      return since < 0 ? found : found.slice(since + 1);
    },
    overview: () => overview.all(),
  };
}
