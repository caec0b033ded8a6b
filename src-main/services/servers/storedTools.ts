import type { Server } from '../../../src-shared/domain/server.ts';
import type { RejectedTool, SnapshotTool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { StoredListing } from '../../store/servers/serverListings.ts';
import type { Store } from '../../store/store.ts';
import { ingestOffer } from './ingestTools.ts';
import { keepAnswer, type ListingParts } from './keepListing.ts';

/** The latest stored listing of a server with its tools; null if it was never listed. */
export function storedTools(
  store: Store,
  serverId: string,
): { listing: StoredListing; snapshot: ToolSnapshot } | null {
  const listing = store.serverListings.latest(serverId);
  const snapshot = listing && store.toolSnapshots.get(listing.snapshotId);
  return listing && snapshot && { listing, snapshot };
}

/** Tools of several servers, and the servers that have none to show. */
export interface ToolsOfServers {
  tools: SnapshotTool[];
  failed: { server: string; reason: string }[];
  rejected: RejectedTool[];
}

/**
 * The stored tools of servers: what an analysis reads, so that it works while a server can't be
 * reached. Only a server that was never listed is asked, and its answer is stored like that of a
 * check. One that fails does not affect the others.
 */
export async function toolsOfServers(
  parts: ListingParts & { connect: ConnectMcp },
  servers: readonly Pick<Server, 'id' | 'name' | 'config'>[],
  signal: AbortSignal,
): Promise<ToolsOfServers> {
  const failed: ToolsOfServers['failed'] = [];
  const rejected: RejectedTool[] = [];
  const tools = await Promise.all(
    servers.map(async (server) => {
      let stored = storedTools(parts.store, server.id);
      if (stored === null) {
        const answer = await ingestOffer(server, parts.connect, signal);
        await keepAnswer(parts, null, answer, 'person');
        stored = storedTools(parts.store, server.id);
        if (stored === null)
          failed.push({
            server: server.name,
            reason: answer.listing.error ?? 'It listed no tools.',
          });
      }
      // A server may have another name than when it was listed.
      for (const listing of stored?.snapshot.servers ?? [])
        rejected.push(...listing.rejected.map((tool) => ({ ...tool, server: server.name })));
      return stored?.snapshot.tools.map((tool) => ({ ...tool, server: server.name })) ?? [];
    }),
  );
  return { tools: tools.flat(), failed, rejected };
}
