import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { StoredListing } from '../../store/servers/serverListings.ts';
import type { StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import type { Output } from '../contractTypes.ts';
import { compareSnapshots, foldListings, type ListedSnapshot } from './listingChanges.ts';

/** All listings of a server, newest first. */
export function listAllListings(store: Store, serverId: string): StoredListing[] {
  return store.serverListings.list(serverId, Number.MAX_SAFE_INTEGER);
}

/** The history of a server: consecutive listings with the same tools count as one state. */
export function listHistory(
  store: Store,
  server: StoredServer,
  limit: number,
): Output<'servers', 'history'> {
  return foldListings(listAllListings(store, server.id), limit, (snapshotId) =>
    listedSnapshot(store, snapshotId),
  );
}

function listedSnapshot(store: Store, id: string): ListedSnapshot | null {
  const snapshot = store.toolSnapshots.get(id);
  const server = snapshot?.servers[0]?.server;
  return snapshot && { ...snapshot, items: store.serverItems.of(id, server ?? '') };
}

/** What changed between two listings. Throws NOT_FOUND if the server has no such listing. */
export function listChanges(
  store: Store,
  server: StoredServer,
  before: string,
  after: string,
): Output<'servers', 'changes'> {
  const own = new Set(listAllListings(store, server.id).map(({ snapshotId }) => snapshotId));
  const snapshotOf = (id: string) => {
    const snapshot = own.has(id) ? listedSnapshot(store, id) : null;
    if (snapshot !== null) return snapshot;
    throw new ServiceError('NOT_FOUND', {
      thing: `The listing ${id}`,
      cause: 'It is not a listing of this server.',
      nextStep: 'Choose one from the Changes tab.',
    });
  };
  return compareSnapshots(snapshotOf(before), snapshotOf(after));
}
