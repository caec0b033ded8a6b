import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { Store } from '../../store/store.ts';

/**
 * The tools of a server as a person last asked for them, up to a moment: what an evaluation is
 * compared with, as a whole and tool by tool. Null: nobody had. What an evaluation itself asked for
 * at its end counts for nothing here: the next one is marked as well, until somebody has looked.
 */
export function toolsSeen(
  store: Store,
  serverId: string,
  until: string,
): { at: string; snapshot: ToolSnapshot } | null {
  const listing = store.serverListings.seenBy(serverId, until);
  const snapshot = listing && store.toolSnapshots.get(listing.snapshotId);
  return snapshot && { at: listing.createdAt, snapshot };
}
