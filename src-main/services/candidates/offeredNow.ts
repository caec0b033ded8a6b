import type { OfferedTools } from '../../../src-shared/metrics/candidateState.ts';
import type { SnapshotTool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { Store } from '../../store/store.ts';

/** Listings among which the last successful one is looked for. */
const maxListings = 20;

/** The last successful listing of a server; null if there is none. */
export function lastListed(
  store: Store,
  serverId: string,
): { at: string; snapshot: ToolSnapshot } | null {
  for (const { snapshotId, createdAt: at } of store.serverListings.list(serverId, maxListings)) {
    const snapshot = store.toolSnapshots.get(snapshotId);
    if (snapshot?.servers.every(({ status }) => status === 'listed') === true)
      return { at, snapshot };
  }
  return null;
}

/**
 * What servers offer now, by name: their last successful listing, under the name that they have now.
 * Null for a server that isn't registered or was never listed. Reads each server once.
 */
export function offeredNow(store: Store): (server: string) => readonly SnapshotTool[] | null {
  const known = new Map<string, readonly SnapshotTool[] | null>();
  const read = (name: string): readonly SnapshotTool[] | null => {
    const server = store.servers.getByName(name);
    const listed = server === null ? null : lastListed(store, server.id);
    return listed?.snapshot.tools.map((tool) => ({ ...tool, server: name })) ?? null;
  };
  const offered = (name: string): readonly SnapshotTool[] | null => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const tools = read(name);
    known.set(name, tools);
    return tools;
  };
  return offered satisfies OfferedTools;
}
