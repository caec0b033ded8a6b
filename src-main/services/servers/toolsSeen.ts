import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { Store } from '../../store/store.ts';

/**
 * The tools of a server as a person last listed them before a moment: what an evaluation is
 * compared with. Null if nobody listed them. Listings that an evaluation requested do not count, so
 * that the next evaluation is marked too until a person has looked.
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
