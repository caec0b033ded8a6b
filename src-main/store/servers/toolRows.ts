import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { shownCases } from '../suites/shownCases.ts';
import type { StoreContext } from '../storeContext.ts';
import { succeededListing } from './serverListings.ts';

interface ListedToolRow {
  serverId: string;
  snapshotId: string;
  name: string;
  hash: string;
  title: string | null;
  /** Its beginning. */
  description: string;
  /** Null until it is counted. */
  tokens: number | null;
  /** 1 unless a person has seen exactly this definition in a listing. */
  unseen: 0 | 1;
}

/** What a table of all tools shows of each, read at once for all servers. */
export function openToolRows({ db }: StoreContext) {
  const listed = db.prepare<[{ encoding: string }], ListedToolRow>(
    `WITH latest AS (
       SELECT m.id AS serverId, l.snapshot_id AS snapshotId, p.snapshot_id AS seenId
       FROM mcp_servers m
       JOIN server_listings l ON l.rowid = (${succeededListing('1')})
       LEFT JOIN server_listings p ON p.rowid = (${succeededListing("g.asked_by = 'person'")}))
     SELECT latest.serverId, latest.snapshotId, c.name, c.hash, c.title,
       substr(ltrim(c.description, char(9, 10, 13, 32)), 1, 400) AS description,
       k.token_count AS tokens,
       latest.snapshotId IS NOT latest.seenId AND NOT EXISTS (SELECT 1 FROM snapshot_tools o
         WHERE o.snapshot_id = latest.seenId AND o.tool_hash = t.tool_hash) AS unseen
     FROM latest
     JOIN snapshot_tools t ON t.snapshot_id = latest.snapshotId
     JOIN tool_contents c ON c.hash = t.tool_hash
     LEFT JOIN token_counts k ON k.tool_hash = c.hash AND k.encoding = @encoding
     ORDER BY latest.serverId, t.position`,
  );
  const cases = db.prepare<[], { tool: string; cases: number }>(
    `WITH expected AS (SELECT c.id, call.value AS one FROM ${shownCases} JOIN json_each(c.expected_calls) call),
     named AS (
       SELECT id, (one ->> '$.server') || ':' || (one ->> '$.tool') AS tool FROM expected
       UNION SELECT expected.id, (other.value ->> '$.server') || ':' || (other.value ->> '$.tool')
         FROM expected, json_each(one, '$.anyOf') other
     )
     SELECT tool, count(*) AS cases FROM named WHERE tool IS NOT NULL GROUP BY tool`,
  );
  return {
    /** The tools of every server's last successful listing, in their order. */
    listed: (encoding: EncodingName): ListedToolRow[] => listed.all({ encoding }),
    /** Cases of all suites by the tool that they expect, also as one of several alternatives. */
    cases: (): Map<string, number> => new Map(cases.all().map(({ tool, cases: n }) => [tool, n])),
  };
}
export type ToolRowStore = ReturnType<typeof openToolRows>;
