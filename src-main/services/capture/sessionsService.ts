import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Store } from '../../store/store.ts';
import { ClientFiles, commandOf, type ClientFilesParts } from '../clientFiles/clientFiles.ts';
import type { Input, Output, ServiceFor } from '../contractTypes.ts';
import { slug } from '../files/safeFileName.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { isDeepStrictEqual } from 'node:util';
import { checkRelayed } from './checkRelayed.ts';
import { readSession, toolsOfSessions } from './readSession.ts';
import { removeSessions, sessionFiles } from './sessionsFolder.ts';

/**
 * The sessions that gateways captured. They are files next to the database, because several gateways
 * write at once, also while a window holds the workspace.
 */
export class SessionsService implements ServiceFor<'sessions'> {
  readonly #workspace: string;
  readonly #clients: ClientFilesParts;
  readonly #servers: Pick<Store['servers'], 'getByName'>;

  constructor(store: Pick<Store, 'servers'>, clients: ClientFilesParts) {
    this.#workspace = clients.folder;
    this.#clients = clients;
    this.#servers = store.servers;
  }

  async list(): Promise<Output<'sessions', 'list'>> {
    const read = [];
    for (const file of await sessionFiles(this.#workspace)) {
      const session = await readSession(file);
      if (session !== null) read.push(session);
    }
    return {
      sessions: read
        .map(({ session }) => session)
        .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)),
      tools: toolsOfSessions(read),
    };
  }

  async clients({ server }: Input<'sessions', 'clients'>): Promise<Output<'sessions', 'clients'>> {
    return this.#filesOf(server).list();
  }

  async addToClient({
    server,
    client,
    revision,
  }: Input<'sessions', 'addToClient'>): Promise<Output<'sessions', 'addToClient'>> {
    return this.#filesOf(server).add(client, revision);
  }

  async undoClient({
    server,
    client,
  }: Input<'sessions', 'undoClient'>): Promise<Output<'sessions', 'undoClient'>> {
    return this.#filesOf(server).undo(client);
  }

  /** The gateway takes the place of the server's own entry; its backup brings that one back. */
  #filesOf(name: string): ClientFiles {
    checkRelayed(name, this.#servers.getByName(name));
    const words = ['gateway', name, '--capture'];
    const entry = {
      ...commandOf(this.#clients, words),
      name,
      isOwn: ({ args }: JsonObject) =>
        Array.isArray(args) &&
        args.at(-5) === '--workspace' &&
        isDeepStrictEqual(args.slice(-3), words),
      replacesOthers: true,
    };
    // Two names may differ in signs that no file name has.
    const short = slug(name, 'server');
    const own = short === name ? short : `${short}-${sha256(name).slice(0, 8)}`;
    return new ClientFiles(this.#clients.machine, entry, `-${own}`);
  }

  async removeAll(): Promise<Output<'sessions', 'removeAll'>> {
    return { removed: await removeSessions(this.#workspace) };
  }
}
