import type { ToolChange } from '../../../src-shared/contract/evaluations.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { StoredListing } from '../../store/serverListings.ts';
import type { Store } from '../../store/store.ts';
import { compareSnapshots } from '../servers/listingChanges.ts';

const everyListing = 1_000;

/**
 * Where the tools that an evaluation froze are not those that its servers were seen with: at the last listing before it (what a person may have looked at
 * and trusted), and at the first one while it ran that is not the same any more. An empty list: nothing is known to have changed.
 */
export function findToolChanges(store: Store, snapshot: ToolSnapshot, { frozenAt, endedAt }: { frozenAt: string; endedAt: string | null }): ToolChange[] {
  return snapshot.servers.flatMap((server): ToolChange[] => {
    if (server.status !== 'listed' || server.serverId === null) return [];
    const frozen: ToolSnapshot = { ...snapshot, servers: [server], tools: snapshot.tools.filter((tool) => tool.server === server.server) };
    const listings = store.serverListings.list(server.serverId, everyListing);
    const before = listings.find(({ createdAt }) => createdAt <= frozenAt);
    const during = listings.filter(({ createdAt }) => createdAt > frozenAt && (endedAt === null || createdAt <= endedAt)).reverse();
    const differs = ({ snapshotId, createdAt }: StoredListing, when: ToolChange['when']): ToolChange[] => {
      const seen = store.toolSnapshots.get(snapshotId);
      if (seen === null) return [];
      const changes = when === 'before' ? compareSnapshots(seen, frozen) : compareSnapshots(frozen, seen);
      const same = changes.added.length + changes.removed.length + changes.changed.length === 0 && changes.instructions === null;
      return same ? [] : [{ server: server.server, serverId: server.serverId, when, seenAt: createdAt, changes }];
    };
    const later = during.map((each) => differs(each, 'during')).find((found) => found.length > 0);
    return [...(before === undefined ? [] : differs(before, 'before')), ...(later ?? [])];
  });
}
