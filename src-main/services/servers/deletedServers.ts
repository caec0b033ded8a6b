import { z } from 'zod';
import { storedListing } from '../../store/servers/serverListings.ts';
import { storedServer, type StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import type { Output } from '../contractTypes.ts';
import { listAllListings } from './serverHistory.ts';

const deletedServer = z.object({ server: storedServer, listings: z.array(storedListing) });

/** The cases, suites and listings that name a server or are deleted with it. */
export function previewServerRemoval(
  store: Store,
  { id, name }: StoredServer,
): Output<'servers', 'previewRemoval'> {
  const naming = store.servers.casesNaming(name);
  return {
    cases: naming.length,
    suites: [...new Set(naming.map(({ suiteName }) => suiteName))],
    listings: listAllListings(store, id).length,
  };
}

/** Moves a server and its listings to the trash. Returns a token to undo it. */
export function moveServerToTrash(store: Store, server: StoredServer): Output<'servers', 'remove'> {
  return store.transaction(() => {
    const what = `Server ${server.name}`;
    const token = store.trash.put({
      kind: 'server',
      title: what,
      content: { server, listings: listAllListings(store, server.id) },
    });
    store.servers.delete(server.id);
    return { token, what };
  });
}

/** Stores a server from the trash again and returns it. */
export function restoreServer(store: Store, content: unknown): StoredServer {
  const { server, listings } = deletedServer.parse(content);
  store.servers.restore(server);
  // Oldest first: row order decides between two listings of the same millisecond.
  for (const listing of listings.reverse()) store.serverListings.add(listing);
  return server;
}
