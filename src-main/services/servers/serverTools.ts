import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ConnectMcp, McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import type { Output } from '../contractTypes.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import type { ConnectivityChecks } from './connectivityChecks.ts';
import { ingestOffer } from './ingestTools.ts';
import { keepListing, readListing, hasSameTools } from './keepListing.ts';
import { signalWithTimeout } from '../../runtime/deadline.ts';
import type { Server } from '../../../src-shared/domain/server.ts';

interface ServerToolsParts {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  clock: Clock;
  nextId: NextId;
  /** Receives what servers say about themselves. */
  connectivity: ConnectivityChecks;
}

/** The tools of servers: listed and called over a connection of their own. */
export class ServerTools {
  readonly #parts: ServerToolsParts;

  constructor(parts: ServerToolsParts) {
    this.#parts = parts;
  }

  /** Lists the tools and stores them. Throws TROUBLE when the server lists none. */
  async refresh(
    server: StoredServer,
    whole: boolean,
    signal: AbortSignal,
  ): Promise<Output<'servers', 'refreshTools'>> {
    const { store, tokens, connect, clock, nextId, connectivity } = this.#parts;
    const { listing, tools, items } = await ingestOffer(server, connect, signal);
    store.servers.setToolsError(server.id, listing.error);
    if (listing.status === 'failed') {
      throw new ServiceError('TROUBLE', {
        thing: `Server ${server.name}`,
        cause: listing.error ?? 'It listed no tools.',
        // What went wrong says what to do about it.
        nextStep: listing.error === null ? 'Fix it, then connect again.' : '',
      });
    }
    const { instructions, protocolVersion, serverInfo } = listing;
    connectivity.setGreeting(server.id, { instructions, protocolVersion, serverInfo });
    connectivity.clearListChanges(server.id);
    await keepListing({ store, tokens, clock, nextId }, server.id, {
      listing,
      tools,
      ...(items && { items }),
    });
    const made = await readListing(store, tokens, server.id, whole);
    if (!made) throw new Error(`The listing of ${server.name} was not saved.`);
    return made;
  }

  async call(
    server: StoredServer,
    tool: string,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<Output<'servers', 'callTool'>> {
    const { store, connect, clock, connectivity } = this.#parts;
    const connection = await connect({ name: server.name, config: server.config }, signal);
    try {
      return await connection.callTool(tool, args, signal);
    } finally {
      const announced = connection.listChanges();
      if (announced > 0 && !(await listsSameTools(store, server, connection, signal)))
        connectivity.addListChanges(server.id, announced, clock.now());
      await connection.close();
    }
  }
}

/** The user already has the result of the call and should not wait longer for this check. */
const maxListMs = 3_000;

/**
 * Whether a server that announced a changed list still has the tools of its last listing: some
 * servers announce a change at the start of every session. False if it was never listed or does not
 * answer in time; then the announcement is kept.
 */
async function listsSameTools(
  store: Store,
  { id, name }: Pick<Server, 'id' | 'name'>,
  connection: McpConnection,
  signal: AbortSignal,
): Promise<boolean> {
  const latest = store.serverListings.latest(id);
  const known = latest && store.toolSnapshots.get(latest.snapshotId);
  if (known === null) return false;
  const now = await connection.listTools(signalWithTimeout(signal, maxListMs)).catch(() => null);
  return (
    now !== null && hasSameTools(known, { server: name, instructions: now.instructions }, now.tools)
  );
}
