import { ProtocolError } from '@modelcontextprotocol/client';
import { DeadlinePassed, withinDeadline } from '../../runtime/deadline.ts';
import {
  type JsonObject,
  type JsonValue,
  isJson,
  isJsonObject,
} from '../../../src-shared/domain/json.ts';
import {
  defaultDeadlines,
  defaultLimits,
  handshakeMs,
  maxMessageDepth,
  type McpLimits,
} from './limits.ts';
import { listPages, type ListedEntries, type ListKind } from './listPages.ts';
import type {
  CalledTool,
  CallOptions,
  ConnectMcp,
  Deadlines,
  Greeting,
  ListedItems,
  ListedTools,
  McpConnection,
  ServerStart,
  WireTarget,
} from './mcpConnection.ts';
import type { ConnectionNotes } from './notes.ts';
import { openSkills } from '../skills/openSkills.ts';
import { openSession, type Session, type SessionOptions } from './openSession.ts';
import { paramHeaders } from './paramHeaders.ts';
import { toolListKind } from './parseTool.ts';
import {
  faults,
  SessionEnded,
  statusOf,
  troubleOf,
  type Stage,
  type Symptoms,
} from './troubles.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { itemKinds, type ItemKind } from '../../../src-shared/domain/itemKinds.ts';
import type { ItemList, ReceivedItem, ServerItem } from '../../../src-shared/domain/serverItem.ts';
import { itemListKind } from './parseItem.ts';

export interface ConnectorOptions {
  deadlines?: Partial<Deadlines>;
  limits?: Partial<McpLimits>;
  /**
   * How long a server may take to report that it speaks the later protocol; by default a part of
   * the time for connecting.
   */
  probeMs?: number;
  clock?: { monotonic(): number };
  /** Called when a stdio server starts; returns what to call when it answered or failed. */
  onStart?: ((start: ServerStart) => () => void) | undefined;
  /** How to start this program: what the command `touchstone` of a server is replaced by. */
  self?: SessionOptions['self'];
  /** Which addresses a server may have; by default no host is allowed by name. */
  access?: SessionOptions['access'];
  /** Sent to servers in the handshake. */
  version?: string;
}

const PROBE_SHARE = 0.4;
const METHOD_NOT_FOUND = -32601;
const noSymptoms: Symptoms = { exit: null, stderrTail: '', lastError: null };

/**
 * Creates the function that connects to MCP servers. A connection attempt that fails or is aborted
 * leaves no process behind. An abort rejects with the reason of the signal; every other failure is
 * a ServiceError TROUBLE.
 */
export function createConnector(options: ConnectorOptions = {}): ConnectMcp {
  const deadlines = { ...defaultDeadlines, ...options.deadlines };
  const limits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? { monotonic: () => performance.now() };
  const sessionOptions: SessionOptions = {
    limits,
    probeMs: options.probeMs ?? deadlines.connectMs * PROBE_SHARE,
    clientInfo: { name: 'touchstone', version: options.version ?? '0.1.0' },
    self: options.self ?? null,
    access: options.access ?? { allowedHosts: () => [] },
    ignoring: new Set(),
  };
  return async ({ config, ...about }, signal) => {
    if (config.transport === 'skills') {
      const skills = openSkills({ ...about, config });
      await skills.reach(signal);
      return skills;
    }
    const target: WireTarget = { ...about, config };
    const wires: ConnectionNotes[] = [];
    const watched: SessionOptions = { ...sessionOptions, onOpen: (notes) => wires.push(notes) };
    const limitMs = handshakeMs(config, deadlines);
    const ended =
      config.transport === 'stdio'
        ? options.onStart?.({ server: about.name, wrote: () => wires.at(-1)?.lastLine() ?? '' })
        : undefined;
    try {
      const session = await withinDeadline(limitMs, signal, (limited) =>
        openSession(target, watched, limited),
      );
      const reopen = (again: AbortSignal): Promise<Session> => openSession(target, watched, again);
      return new Connection(target, session, { deadlines, limits, clock, reopen });
    } catch (error) {
      signal.throwIfAborted();
      const notes = wires.at(-1);
      const reached =
        notes !== undefined &&
        (target.config.transport === 'stdio' ||
          error instanceof DeadlinePassed ||
          error instanceof ProtocolError);
      throw troubleOf(
        target,
        reached ? 'initialize' : 'connect',
        error instanceof DeadlinePassed
          ? faults.noHandshake(limitMs, target.config.transport === 'stdio' ? notes : null)
          : error,
        notes?.symptoms() ?? noSymptoms,
      );
    } finally {
      ended?.();
    }
  };
}

interface ConnectionParts {
  deadlines: Deadlines;
  limits: McpLimits;
  clock: { monotonic(): number };
  reopen: (signal: AbortSignal) => Promise<Session>;
}

class Connection implements McpConnection {
  readonly #target: WireTarget;
  #session: Session;
  readonly #reopen: (signal: AbortSignal) => Promise<Session>;
  readonly #deadlines: Deadlines;
  readonly #limits: McpLimits;
  readonly #clock: { monotonic(): number };
  /** Schemas of the last listing: over HTTP, a schema may ask for headers. */
  #schemas = new Map<string, JsonObject>();
  #closing: Promise<void> | null = null;

  constructor(
    target: WireTarget,
    session: Session,
    { deadlines, limits, clock, reopen }: ConnectionParts,
  ) {
    this.#target = target;
    this.#session = session;
    this.#deadlines = deadlines;
    this.#limits = limits;
    this.#clock = clock;
    this.#reopen = reopen;
  }

  get protocolVersion(): string | null {
    return this.#session.protocolVersion;
  }

  get greeting(): Greeting {
    const { instructions, protocolVersion, serverInfo } = this.#session;
    return { instructions, protocolVersion, serverInfo };
  }

  async listTools(signal: AbortSignal): Promise<ListedTools> {
    const { greeting } = this;
    return this.#stage('tools/list', this.#deadlines.listMs, signal, async (limited) => {
      const ask = (params: JsonObject): Promise<JsonObject> =>
        this.#request('tools/list', params, limited);
      // Changes that were reported before the first page was requested are part of this listing.
      this.#session.notes.listChanges = 0;
      const server = this.#target.name;
      const list = () =>
        listPages(toolListKind(server), { limits: this.#limits, ask, signal: limited });
      try {
        const { entries, rejected } = await list().catch(async (error: unknown) => {
          // A listing changes nothing at the server, so it may be requested once more, from the
          // first page.
          if (!(error instanceof SessionEnded)) throw error;
          await this.#session.close();
          this.#session = await this.#reopen(limited);
          return list();
        });
        this.#schemas = new Map(entries.map(({ entry }) => [entry.name, entry.inputSchema]));
        return {
          tools: entries.map(({ entry, raw }) => ({ tool: entry, raw })),
          rejected: rejected.map((each) => ({ server, ...each })),
          ...greeting,
        };
      } catch (error) {
        // A server without the tools capability may report that method as unknown.
        if (this.#session.offers.tools || !isMethodNotFound(error)) throw error;
        return { tools: [], rejected: [], ...greeting };
      }
    });
  }

  listItems(signal: AbortSignal): Promise<ListedItems> {
    const { offers } = this.#session;
    return listItems(
      {
        server: this.#target.name,
        offers: { prompt: offers.prompts, resource: offers.resources, template: offers.resources },
        list: (kind) =>
          this.#stage(kind.method, this.#deadlines.listMs, signal, (limited) =>
            listPages(kind, {
              limits: this.#limits,
              ask: (params) => this.#request(kind.method, params, limited),
              signal: limited,
            }).catch((error: unknown) => {
              // Servers with resources often know no templates.
              if (kind.method !== 'resources/templates/list' || !isMethodNotFound(error))
                throw error;
              return null;
            }),
          ),
      },
      signal,
    );
  }

  async callTool(
    name: string,
    args: JsonObject,
    signal: AbortSignal,
    { isReading = false }: CallOptions = {},
  ): Promise<CalledTool> {
    const { limit } = this.#session;
    if (isReading) limit.bytes = this.#limits.readingBytes;
    const schema =
      this.#session.modern && this.#session.overHttp ? this.#schemas.get(name) : undefined;
    const headers = schema === undefined ? undefined : paramHeaders(schema, args);
    const started = this.#clock.monotonic();
    return this.#stage('tools/call', this.#deadlines.callMs, signal, async (limited) => {
      const answer = await this.#request('tools/call', { name, arguments: args }, limited, headers);
      if (!isJson(answer, maxMessageDepth)) throw faults.tooDeep();
      return {
        ...readCall(answer),
        durationMs: Math.max(1, Math.ceil(this.#clock.monotonic() - started)),
      };
    }).finally(() => (limit.bytes = this.#limits.messageBytes));
  }

  listChanges(): number {
    return this.#session.notes.listChanges;
  }

  stderrTail(): string {
    return this.#session.notes.stderrTail();
  }

  close(): Promise<void> {
    this.#closing ??= this.#session.close();
    return this.#closing;
  }

  async #request(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    headers?: Record<string, string>,
  ): Promise<JsonObject> {
    const { channel, meta, overHttp } = this.#session;
    const answer = await channel
      .request(
        method,
        { ...params, ...meta },
        { signal, ...(headers === undefined ? {} : { headers }) },
      )
      .catch((error: unknown) => {
        const status = overHttp ? statusOf(error) : null;
        throw status === 404 || status === 410 ? faults.sessionEnded(status) : error;
      });
    const kind = answer['resultType'];
    if (typeof kind === 'string' && kind !== 'complete')
      throw faults.wrongShape(
        `requires something first ("${kind.slice(0, 50)}"), which Touchstone can't provide`,
      );
    return answer;
  }

  async #stage<T>(
    stage: Stage,
    ms: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await withinDeadline(ms, signal, work);
    } catch (error) {
      signal.throwIfAborted();
      const symptoms = this.#session.notes.symptoms();
      throw troubleOf(
        this.#target,
        stage,
        named(error),
        // Why a list of items failed is stored with the listing: what the server printed meanwhile
        // would make every listing a different one.
        stage.startsWith('tools/') ? symptoms : { ...noSymptoms, exit: symptoms.exit },
      );
    }
  }
}

const isMethodNotFound = (error: unknown): boolean =>
  error instanceof ProtocolError && error.code === METHOD_NOT_FOUND;

const named = (error: unknown): unknown =>
  error instanceof DeadlinePassed ? faults.noAnswer(error.ms) : error;

function readCall(answer: JsonObject): Omit<CalledTool, 'durationMs'> {
  const structured: JsonValue | undefined = answer['structuredContent'];
  const content = answer['content'] ?? (structured === undefined ? undefined : []);
  if (!Array.isArray(content)) throw faults.wrongShape('has no content list');
  if (!content.every((part) => isJsonObject(part)))
    throw faults.wrongShape("has content that isn't an object");
  return { isError: answer['isError'] === true, content, structuredContent: structured ?? null };
}

interface ItemSource {
  server: string;
  /** Which kinds the server announced. Others are not requested. */
  offers: Record<ItemKind, boolean>;
  /** Lists one kind; null if the server doesn't know it. */
  list: (kind: ListKind<ServerItem>) => Promise<ListedEntries<ServerItem> | null>;
}

/**
 * Lists prompts, resources and resource templates at the same time, each with a deadline of its
 * own. A kind that fails says why and affects no other.
 */
async function listItems(source: ItemSource, signal: AbortSignal): Promise<ListedItems> {
  const listed = await Promise.all(itemKinds.map((kind) => listKind(source, kind, signal)));
  return {
    items: listed.flatMap(({ items }) => items),
    lists: listed.map(({ list }) => list),
  };
}

async function listKind(
  { server, offers, list }: ItemSource,
  kind: ItemKind,
  signal: AbortSignal,
): Promise<{ items: ReceivedItem[]; list: ItemList }> {
  const about = { kind, error: null, rejected: [] };
  const missing = { items: [], list: { ...about, status: 'not offered' as const } };
  if (!offers[kind]) return missing;
  try {
    const found = await list(itemListKind(server, kind));
    return found === null
      ? missing
      : {
          items: found.entries.map(({ entry, raw }) => ({ item: entry, raw })),
          list: { ...about, status: 'listed', rejected: found.rejected },
        };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    const { cause, nextStep } = error.data;
    return { items: [], list: { ...about, status: 'failed', error: `${cause} ${nextStep}` } };
  }
}
