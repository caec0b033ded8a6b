import { resolve } from 'node:path';
import { waitAtMost } from '../../runtime/deadline.ts';
import { summarizeReliability } from '../../../src-shared/metrics/reliability.ts';
import type { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ServerImportPreview } from '../../../src-shared/domain/serverImport.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import { createSecretVault, type SecretVault } from '../../adapters/secrets/secretVault.ts';
import type { StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { Settler } from '../suites/settler.ts';
import type { Log } from '../../runtime/log.ts';
import { findKnownFiles, readKnownFile, type Machine } from './import/knownFiles.ts';
import { readNamedFiles } from './import/namedFiles.ts';
import type { FileInput } from './import/readServerFile.ts';
import { ServerExchange, currentMachine } from './import/serverExchange.ts';
import type { CallOptions, Output, ServiceFor } from '../contractTypes.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { keepListing, readListing } from './keepListing.ts';
import type { IngestedServer } from './ingestTools.ts';
import { storedTools } from './storedTools.ts';
import { maxCheckWaitMs, ConnectivityChecks } from './connectivityChecks.ts';
import { extractSecrets, maskSecrets } from './secrets/extractSecrets.ts';
import { ServerSecrets } from './secrets/serverSecrets.ts';
import { ProtocolLog } from './messages/protocolLog.ts';
import { moveServerToTrash, previewServerRemoval, restoreServer } from './deletedServers.ts';
import { listChanges, listHistory } from './serverHistory.ts';
import { ServerTools } from './serverTools.ts';
import { serverUrl } from './serverUrl.ts';
import { SignIns, signInError } from './signIns.ts';
import type { StartingServers } from './startingServers.ts';
import { skillsNextTo } from './skillsFolder.ts';
import { ownFirst } from '../../store/workspace/sampleMarks.ts';
import { notFound } from '../../store/database/table.ts';

type Topic = ServiceFor<'servers'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface ServersParts {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  clock: Clock;
  nextId: NextId;
  /** Defaults to a vault in memory. */
  vault?: SecretVault;
  /** Takes secrets out of what a sign-in says. */
  redact?: SecretGuard['redact'];
  machine?: Machine;
  /** Receives the outcome of every check. */
  log?: Log | null;
  /** Deletes what a renaming replaced; if missing, that is left for the next start. */
  settler?: Pick<Settler, 'wake'>;
  /** Empty by default. */
  starting?: StartingServers;
  /** Overridden in tests, so that they pass on slow machines. */
  maxCheckWaitMs?: number;
}

const describeFailure = ({ data }: ServiceError): string => `${data.cause} ${data.nextStep}`.trim();

/** Greeting of a server that was never reached. */
const emptyGreeting = { instructions: null, protocolVersion: null, serverInfo: null };

/** The MCP servers of the workspace: their settings, tools, sign-ins and files. */
export class ServersService implements ServiceFor<'servers'> {
  readonly #parts: ServersParts;
  readonly #secrets: ServerSecrets;
  readonly #connectivity: ConnectivityChecks;
  readonly #machine: Machine;
  readonly #signIns: SignIns;
  readonly #exchange: ServerExchange;
  readonly #tools: ServerTools;
  readonly #messages: ProtocolLog;

  constructor(parts: ServersParts) {
    this.#parts = parts;
    const vault = parts.vault ?? createSecretVault();
    this.#machine = parts.machine ?? currentMachine();
    this.#secrets = new ServerSecrets(parts.store, vault, this.#machine.environment);
    const allowedHosts = () => parts.store.settings.get().allowedHosts;
    this.#signIns = new SignIns(vault, { allowedHosts }, parts.redact);
    this.#exchange = new ServerExchange(parts.store, this.#machine, vault);
    this.#messages = new ProtocolLog({
      clock: parts.clock,
      redact: parts.redact ?? ((text) => text),
    });
    // Only these connections are shown: an evaluation's would bury them, and hold up its runs.
    const connect: ConnectMcp = (target, signal) => {
      const id = parts.store.servers.getByName(target.name)?.id;
      const tap = id === undefined ? undefined : this.#messages.open(id);
      return parts.connect({ ...target, tap }, signal);
    };
    this.#connectivity = new ConnectivityChecks(connect, {
      keepStatus: (id, failure) => this.#keepStatus(id, failure),
      keepTools: (id, listed) => this.#keepTools(id, listed),
    });
    this.#tools = new ServerTools({ ...parts, connect, connectivity: this.#connectivity });
  }

  async close(): Promise<void> {
    this.#signIns.close();
    await this.#connectivity.close();
  }

  async list(): Answer<'list'> {
    const { store } = this.#parts;
    const listings = new Map(
      store.serverListings.overview().map((listing) => [listing.serverId, listing]),
    );
    return Promise.all(
      ownFirst(store, 'servers', store.servers.list()).map(async (server) => {
        const listing = listings.get(server.id);
        const unresolved = (await this.#secrets.variables(server))
          .filter(({ resolved }) => !resolved)
          .map(({ reference }) => reference);
        return {
          ...this.#toServer(server),
          toolCount: listing?.toolCount ?? null,
          listedAt: listing?.listedAt ?? null,
          changedTools: listing?.changedTools ?? 0,
          changedItems: listing?.changedItems ?? 0,
          unresolved,
        };
      }),
    );
  }

  async get({ id, whole }: Input<'get'>): Answer<'get'> {
    const server = this.#getServer(id);
    const listing = await readListing(this.#parts.store, this.#parts.tokens, id, whole);
    const { instructions, protocolVersion, serverInfo } =
      this.#connectivity.greeting(id) ?? listing?.listing ?? emptyGreeting;
    return {
      server: this.#toServer(server),
      greeting: { instructions, protocolVersion, serverInfo },
      listing,
      listChanges: this.#connectivity.listChanges(id),
      variables: await this.#secrets.variables(server),
      origin: server.origin && {
        format: server.origin.format,
        fileName: server.origin.fileName ?? null,
      },
      signIn: await this.#signIns.stateOf(server),
    };
  }

  async create({
    name,
    config,
    secrets = [],
    listTools = false,
  }: Input<'create'>): Answer<'create'> {
    const hidden = this.#secrets.hide(name, config, secrets, null);
    const made = this.#parts.store.servers.insert({
      name,
      config: hidden.config,
      url: serverUrl(hidden.config),
    });
    await this.#secrets.store(hidden.values);
    return this.#startCheck(made.id, listTools);
  }

  async update({
    id,
    name,
    config,
    secrets = [],
    listTools = false,
  }: Input<'update'>): Answer<'update'> {
    const before = this.#getServer(id);
    const { store, settler } = this.#parts;
    {
      // Wakes the settler last: it deletes the cases with the old name.
      using _ = { [Symbol.dispose]: () => settler?.wake() };
      using staged =
        before.name === name || store.servers.getByName(name) !== null
          ? null
          : await store.serverRenames.stage(before.name, name, createYielder());
      const hidden = this.#secrets.hide(name, config, secrets, id);
      store.servers.update(
        id,
        { name, config: hidden.config, url: serverUrl(hidden.config) },
        staged,
      );
      await this.#secrets.store(hidden.values);
    }
    await this.#secrets.removeUnused(before.config);
    return this.#startCheck(id, listTools);
  }

  async setValue({ id, reference, value }: Input<'setValue'>): Answer<'setValue'> {
    await this.#secrets.setValue(this.#getServer(id), reference, value);
    return this.#secrets.variables(this.#getServer(id));
  }

  async previewRemoval({ id }: Input<'previewRemoval'>): Answer<'previewRemoval'> {
    return previewServerRemoval(this.#parts.store, this.#getServer(id));
  }

  async remove({ id }: Input<'remove'>): Answer<'remove'> {
    const server = this.#getServer(id);
    await this.#connectivity.forget(id);
    await this.#signIns.end(id);
    this.#messages.forget(id);
    const removed = moveServerToTrash(this.#parts.store, server);
    await this.#secrets.setAside(server);
    return removed;
  }

  /** Undoes `remove`. Call it inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#secrets.putBack(restoreServer(this.#parts.store, content));
  }

  /** Checks a server and lists its tools. Stops when the caller leaves. */
  async check({ id }: Input<'check'>, { signal }: Partial<CallOptions> = {}): Answer<'check'> {
    await this.#connectivity.check(this.#getServer(id), signal);
    return this.#toServer(this.#getServer(id));
  }

  async refreshTools(
    { id, whole = false }: Input<'refreshTools'>,
    { signal }: CallOptions,
  ): Answer<'refreshTools'> {
    return this.#tools.refresh(this.#getServer(id), whole, signal);
  }

  starting(): Answer<'starting'> {
    return Promise.resolve(this.#parts.starting?.list() ?? []);
  }

  /** Marks the latest tools as seen by a person, so that they no longer count as changed. */
  async markReviewed({ id }: Input<'markReviewed'>): Answer<'markReviewed'> {
    const { store, clock, nextId } = this.#parts;
    const stored = storedTools(store, this.#getServer(id).id);
    if (stored !== null)
      store.serverListings.add({
        ...stored.listing,
        id: nextId(),
        createdAt: clock.now(),
        askedBy: 'person',
      });
    return { reviewed: stored !== null };
  }

  async history({ id, limit }: Input<'history'>): Answer<'history'> {
    return listHistory(this.#parts.store, this.#getServer(id), limit);
  }

  async reliability({ id }: Input<'reliability'>): Answer<'reliability'> {
    const { calls, evaluations } = this.#parts.store.sentCalls.ofServer(this.#getServer(id).name);
    return summarizeReliability(calls, evaluations);
  }

  async changes({ id, before, after }: Input<'changes'>): Answer<'changes'> {
    return listChanges(this.#parts.store, this.#getServer(id), before, after);
  }

  async signIn({ id }: Input<'signIn'>): Answer<'signIn'> {
    const server = this.#getServer(id);
    return this.#signIns.begin(server, (error) => {
      if (error === null) void this.#connectivity.check(server);
      else
        this.#parts.store.servers.setStatus(id, {
          status: 'failed',
          statusReason: describeFailure(signInError(server.name, error)),
        });
    });
  }

  async signOut({ id }: Input<'signOut'>): Answer<'signOut'> {
    await this.#signIns.end(this.#getServer(id).id);
    return this.#startCheck(id);
  }

  async callTool(
    { id, tool, arguments: args }: Input<'callTool'>,
    { signal }: CallOptions,
  ): Answer<'callTool'> {
    return this.#tools.call(this.#getServer(id), tool, args, signal);
  }

  async *messages(
    { id, ...from }: Input<'messages'>,
    { signal }: CallOptions,
  ): AsyncGenerator<Output<'servers', 'messages'>, void> {
    yield* this.#messages.watch(this.#getServer(id).id, from, signal);
  }

  async message({ id, seq }: Input<'message'>): Answer<'message'> {
    return this.#messages.read(this.#getServer(id).id, seq);
  }

  async clearMessages({ id }: Input<'clearMessages'>): Answer<'clearMessages'> {
    return this.#messages.clear(this.#getServer(id).id);
  }

  async repeatCall(
    { id, seq }: Input<'repeatCall'>,
    { signal }: CallOptions,
  ): Answer<'repeatCall'> {
    const server = this.#getServer(id);
    const { tool, args } = this.#messages.callOf(server.id, seq);
    return this.#tools.call(server, tool, args, signal);
  }

  async previewImport(input: Input<'previewImport'>): Answer<'previewImport'> {
    const preview = await this.#exchange.preview(await this.#read(input));
    return { ...preview, skills: 'path' in input ? await this.#newSkills(input.path) : null };
  }

  async import({
    names,
    replace = [],
    values = [],
    notSecret = [],
    ...source
  }: Input<'import'>): Answer<'import'> {
    const { made, replaced, unchanged } = await this.#exchange.import({
      ...(await this.#read(source)),
      names,
      replace,
      values,
      notSecret,
    });
    return { imported: made.map((server) => this.#toServer(server)), replaced, unchanged };
  }

  async export(input: Input<'export'>): Answer<'export'> {
    return this.#exchange.export(input);
  }

  knownFiles(): Answer<'knownFiles'> {
    return findKnownFiles(this.#machine);
  }

  async #read(source: Input<'previewImport'>): Promise<FileInput> {
    if ('path' in source) {
      const read = await readKnownFile(this.#machine, source.path);
      const { readServerFile } = await import('./import/readServerFile.ts');
      const { named = [] } = readServerFile(read);
      return { ...read, files: await readNamedFiles(source.path, named) };
    }
    const { fileName, text, files = {} } = source;
    return { fileName, text, files };
  }

  /** The folder of skills next to a configuration, unless a server reads it already. */
  async #newSkills(file: string): Promise<ServerImportPreview['skills']> {
    const found = await skillsNextTo(file, new AbortController().signal);
    const known = this.#parts.store.servers
      .list()
      .some(({ config }) => 'folder' in config && resolve(config.folder) === found?.folder);
    return known ? null : found;
  }

  /**
   * Starts a check. Returns its outcome if the server answers quickly, or else a server that is still
   * being checked. Listing its tools goes on in the background.
   */
  async #startCheck(id: string, listTools = false): Promise<Server> {
    const { answered } = this.#connectivity.start(this.#getServer(id), listTools);
    await waitAtMost(this.#parts.maxCheckWaitMs ?? maxCheckWaitMs, answered);
    return this.#toServer(this.#getServer(id));
  }

  async #keepTools(id: string, listed: IngestedServer): Promise<void> {
    const { store, log } = this.#parts;
    const { error, status } = listed.listing;
    store.servers.setToolsError(id, error);
    if (status === 'failed')
      log?.info(`Server ${listed.listing.server} lists no tools: ${error ?? 'no reason'}`);
    // The first listing is what later ones are compared with.
    else
      await keepListing(
        this.#parts,
        id,
        listed,
        store.serverListings.latest(id) === null ? 'person' : 'check',
      );
  }

  #keepStatus(id: string, failure: string | null): void {
    const { store, log, clock } = this.#parts;
    const name = store.servers.get(id)?.name ?? id;
    log?.info(
      failure === null ? `Server ${name} answered.` : `Server ${name} failed its check: ${failure}`,
    );
    store.servers.setStatus(
      id,
      failure === null
        ? { status: 'active', statusReason: null, lastConnectedAt: clock.now() }
        : { status: 'failed', statusReason: failure },
    );
  }

  #toServer(server: StoredServer): Server {
    const { origin: _origin, ...shown } = server;
    // One that an earlier version wrote may hold a credential, which no list shows.
    const found = extractSecrets(server.config, {}, { server: server.name });
    const url = found.values.size === 0 ? server.url : serverUrl(maskSecrets(found));
    return { ...shown, url, checking: this.#connectivity.isChecking(server.id) };
  }

  #getServer(id: string): StoredServer {
    const server = this.#parts.store.servers.get(id);
    if (server) return server;
    throw notFound('Server', id, 'Choose one from the list of servers.');
  }
}
