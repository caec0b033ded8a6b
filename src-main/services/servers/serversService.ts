import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Listing } from '../../../src-shared/contract/servers.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { storedServer, type StoredServer } from '../../store/servers.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../clock.ts';
import { bounded } from './boundedTool.ts';
import { findKnownFiles, readKnownFile, type Machine } from './import/knownFiles.ts';
import { ServerExchange, thisMachine } from './import/serverExchange.ts';
import { ingestServer } from './ingestTools.ts';
import type { Services } from '../services.ts';
import { answerWithinMs, Connectivity } from './connectivity.ts';
import { serverUrl } from './serverUrl.ts';

export interface ServersParts {
  store: Store;
  connect: ConnectMcp;
  clock: Clock;
  nextId: NextId;
  machine?: Machine;
  /** For tests on machines of any speed. */
  answerWithinMs?: number;
}

const deletedServer = z.object({
  server: storedServer,
  listings: z.array(z.object({ id: z.string(), serverId: z.string(), snapshotId: z.string(), createdAt: z.string() })),
});

const everyListing = Number.MAX_SAFE_INTEGER;

/** Of a server that nobody has reached yet. */
const silent = { instructions: null, protocolVersion: null, serverInfo: null };

type Topic = Services['servers'];

export class ServersService {
  readonly #parts: ServersParts;
  readonly #connectivity: Connectivity;
  readonly #machine: Machine;
  readonly #exchange: ServerExchange;

  constructor(parts: ServersParts) {
    this.#parts = parts;
    this.#machine = parts.machine ?? thisMachine();
    this.#exchange = new ServerExchange(parts.store, this.#machine);
    this.#connectivity = new Connectivity(parts.connect, (id, outcome) => {
      parts.store.servers.setStatus(
        id,
        outcome.status === 'active'
          ? { status: 'active', statusReason: null, lastConnectedAt: parts.clock.now() }
          : { status: 'failed', statusReason: outcome.reason },
      );
    });
  }

  async close(): Promise<void> {
    await this.#connectivity.close();
  }

  list: Topic['list'] = async () => {
    const { store } = this.#parts;
    const listings = new Map(store.serverListings.overview().map((listing) => [listing.serverId, listing]));
    return store.servers.list().map((server) => {
      const listing = listings.get(server.id);
      return { ...this.#shown(server), toolCount: listing?.toolCount ?? null, listedAt: listing?.listedAt ?? null };
    });
  };

  get: Topic['get'] = async ({ id }) => {
    const server = this.#row(id);
    const listing = await this.#latest(id);
    const { instructions, protocolVersion, serverInfo } = this.#connectivity.greeting(id) ?? listing?.listing ?? silent;
    return { server: this.#shown(server), greeting: { instructions, protocolVersion, serverInfo }, listing, stderr: this.#connectivity.stderrTail(id) };
  };

  create: Topic['create'] = async (input) => {
    const made = this.#parts.store.servers.insert({ ...input, url: serverUrl(input.config) });
    return this.#checkedSoon(made.id);
  };

  update: Topic['update'] = async ({ id, ...input }) => {
    this.#parts.store.servers.update(id, { ...input, url: serverUrl(input.config) });
    return this.#checkedSoon(id);
  };

  previewRemoval: Topic['previewRemoval'] = async ({ id }) => {
    const { store } = this.#parts;
    const naming = store.servers.casesNaming(this.#row(id).name);
    return { cases: naming.length, suites: [...new Set(naming.map(({ suiteName }) => suiteName))], listings: store.serverListings.list(id, everyListing).length };
  };

  remove: Topic['remove'] = async ({ id }) => {
    const server = this.#row(id);
    await this.#connectivity.forget(id);
    const { store } = this.#parts;
    return store.transaction(() => {
      const what = `Server ${server.name}`;
      const token = store.trash.put({ kind: 'server', title: what, content: { server, listings: store.serverListings.list(id, everyListing) } });
      store.servers.delete(id);
      return { token, what };
    });
  };

  /** Undoes `remove`; call inside the transaction that takes the token. */
  restore = (content: unknown): void => {
    const { server, listings } = deletedServer.parse(content);
    this.#parts.store.servers.restore(server);
    // Oldest first, as they came: the order of two of the same millisecond is that of their rows.
    for (const listing of listings.reverse()) this.#parts.store.serverListings.add(listing);
  };

  check: Topic['check'] = async ({ id }) => {
    await this.#connectivity.check(this.#row(id));
    return this.#shown(this.#row(id));
  };

  refreshTools: Topic['refreshTools'] = async ({ id }, { signal }) => {
    const { store, clock, nextId } = this.#parts;
    const server = this.#row(id);
    const { listing, tools } = await ingestServer(server, this.#parts.connect, signal);
    if (listing.status === 'failed') {
      throw new ServiceError('TROUBLE', { thing: `Server ${server.name}`, cause: listing.error ?? 'It gave no tools.', nextStep: 'Mend it, then list its tools again.' });
    }
    const { instructions, protocolVersion, serverInfo } = listing;
    this.#connectivity.keepGreeting(id, { instructions, protocolVersion, serverInfo });
    store.transaction(() => {
      const snapshot = store.toolSnapshots.freeze({ servers: [listing], tools: tools.map((tool) => ({ serverId: id, tool })) });
      store.serverListings.add({ id: nextId(), serverId: id, snapshotId: snapshot.id, createdAt: clock.now() });
    });
    const made = await this.#latest(id);
    if (!made) throw new Error(`The listing of ${server.name} was not kept.`);
    return made;
  };

  callTool: Topic['callTool'] = async ({ id, tool, arguments: args }, { signal }) => {
    const server = this.#row(id);
    const connection = await this.#parts.connect({ name: server.name, config: server.config }, signal);
    try {
      return await connection.callTool(tool, args, signal);
    } finally {
      this.#connectivity.keepStderr(id, connection.stderrTail());
      await connection.close();
    }
  };

  previewImport: Topic['previewImport'] = async (input) => this.#exchange.preview(input);

  import: Topic['import'] = async (input) => {
    const { made, unchanged } = this.#exchange.import(input);
    return { imported: made.map((server) => this.#shown(server)), unchanged };
  };

  export: Topic['export'] = async (input) => this.#exchange.export(input);

  knownFiles: Topic['knownFiles'] = () => findKnownFiles(this.#machine);

  readKnownFile: Topic['readKnownFile'] = ({ path }) => readKnownFile(this.#machine, path);

  /** Answers with the outcome where the check is quick, else with a server that is still being checked. */
  async #checkedSoon(id: string): Promise<Server> {
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, this.#parts.answerWithinMs ?? answerWithinMs);
    await Promise.race([this.#connectivity.check(this.#row(id)), timer.promise]);
    clearTimeout(timeout);
    return this.#shown(this.#row(id));
  }

  #shown(server: StoredServer): Server {
    return { ...server, checking: this.#connectivity.isChecking(server.id) };
  }

  async #latest(serverId: string): Promise<Listing | null> {
    const { store } = this.#parts;
    const latest = store.serverListings.latest(serverId);
    const snapshot = latest ? store.toolSnapshots.get(latest.snapshotId) : null;
    const listing = snapshot?.servers[0];
    if (!latest || !snapshot || !listing) return null;
    // The rank tables are large: they are read when the first token is counted, not when the program starts.
    const { countTokens } = await import('../../analysis/tokens/encodings.ts');
    const tools = snapshot.tools.map(({ snapshotToolId: _id, ...tool }) => ({ ...bounded(tool), tokenCount: countTokens(store.toolSnapshots.raw(tool.hash)) }));
    return { serverId, snapshotId: snapshot.id, listedAt: latest.createdAt, listing, tools };
  }

  #row(id: string): StoredServer {
    const server = this.#parts.store.servers.get(id);
    if (server) return server;
    throw new ServiceError('NOT_FOUND', { thing: `Server ${id}`, cause: 'There is none of this id.', nextStep: 'Look in the list of servers.' });
  }
}
