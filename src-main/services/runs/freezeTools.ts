import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { InlineSources } from '../../../src-shared/domain/evaluation.ts';
import {
  listingOf,
  type ServerListing,
  type ToolSnapshot,
} from '../../../src-shared/domain/tool.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { failureReason, ingestTools, ingestServer } from '../servers/ingestTools.ts';
import { keepAnswer } from '../servers/keepListing.ts';
import type { RunTables } from './runTables.ts';
import { withinDeadline } from '../../runtime/deadline.ts';

/** How long the end of an evaluation waits for a server, besides the start timeout that was set. */
const maxWaitMs = 10_000;

/**
 * Lists the tools of an evaluation's servers again after the last model has answered. A server with
 * other tools than the frozen ones gets a listing, which marks the evaluation. A server that does
 * not answer in time counts as unchanged. Never throws because of a server.
 */
export async function relistTools(
  parts: {
    store: Store;
    tokens: TokenCounts;
    connect: ConnectMcp;
    clock: Pick<Clock, 'now'>;
    nextId: NextId;
  },
  snapshot: ToolSnapshot,
  signal: AbortSignal,
  timeoutMs = maxWaitMs,
): Promise<void> {
  const { store, connect } = parts;
  const registered = new Map(store.servers.list().map((server) => [server.id, server]));
  const asked = snapshot.servers.flatMap(({ status, serverId }) =>
    status === 'listed' && serverId !== null ? (registered.get(serverId) ?? []) : [],
  );
  const answers = await Promise.allSettled(
    asked.map((server) => {
      // Who set a start timeout said that the server needs that time.
      const startMs = 'startTimeoutMs' in server.config ? (server.config.startTimeoutMs ?? 0) : 0;
      return withinDeadline(timeoutMs + startMs, signal, (limited) =>
        ingestServer(server, connect, limited),
      );
    }),
  );
  for (const answer of answers) {
    if (signal.aborted) return;
    if (answer.status === 'fulfilled')
      await keepAnswer(parts, snapshot, answer.value, 'evaluation');
  }
}

/** Whose tools are frozen, and who hears of it. */
interface Freezing<Event extends { seq: number; type: string }> {
  evaluation: { id: string; snapshotId: string | null; suite: { inlineTools: boolean } };
  tables: Pick<RunTables<Event>, 'evaluations' | 'events'>;
  neededServers: () => Promise<readonly string[]>;
  publish: (event: Event) => void;
}

/**
 * Returns the frozen tools of an evaluation and stores them if needed. Servers that have answered
 * are never asked again: a resume lists only those that failed, and the tools of the others stay
 * unchanged.
 */
export async function freezeTools<Event extends { seq: number; type: string }>(
  parts: {
    store: Store;
    tokens: TokenCounts;
    connect: ConnectMcp;
    clock: Clock;
    nextId: NextId;
  },
  {
    evaluation: { id, snapshotId, suite },
    tables: { evaluations, events },
    neededServers,
    publish,
  }: Freezing<Event>,
  signal: AbortSignal,
): Promise<ToolSnapshot> {
  const { store, clock } = parts;
  const frozen = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  const kept = frozen?.servers.filter(({ status }) => status === 'listed') ?? [];
  if (frozen && (suite.inlineTools || kept.length === frozen.servers.length)) return frozen;

  const registered = new Map(store.servers.list().map((server) => [server.name, server]));
  const missing = (await neededServers()).filter(
    (name) => !kept.some(({ server }) => server === name),
  );
  const unknown = missing.filter((name) => !registered.has(name)).map(unregistered);
  const ingested = await ingestTools(
    missing.flatMap((name) => registered.get(name) ?? []),
    parts.connect,
    signal,
    store,
  );

  const servers = [...kept, ...ingested.servers, ...unknown];
  const keptTools = (frozen?.tools ?? [])
    .filter(({ server }) => kept.some((listing) => listing.server === server))
    .map((tool) => ({
      serverId: kept.find(({ server }) => server === tool.server)?.serverId ?? null,
      tool: { tool, raw: store.toolSnapshots.raw(tool.hash) },
    }));

  const { snapshot, ingestion } = store.transaction(() => {
    const created = store.toolSnapshots.freeze({
      servers,
      tools: [...keptTools, ...ingested.tools],
    });
    evaluations.setSnapshot(id, created.id);
    return {
      snapshot: created,
      ingestion: events.append(id, clock.now(), {
        type: 'ingested',
        snapshotId: created.id,
        tools: created.tools.length,
        servers: created.servers,
        rejected: created.servers.flatMap(({ rejected }) => rejected),
      }),
    };
  });
  publish(ingestion);
  // The tools also become a listing of their server, unless the latest listing is the same.
  for (const listing of ingested.servers) {
    const latest = listing.serverId === null ? null : store.serverListings.latest(listing.serverId);
    const known = latest && store.toolSnapshots.get(latest.snapshotId);
    const tools = ingested.tools
      .filter(({ serverId }) => serverId === listing.serverId)
      .map(({ tool }) => tool);
    await keepAnswer(parts, known, { listing, tools }, 'evaluation');
  }
  await parts.tokens.ahead(
    snapshot.tools.map(({ hash }) => hash),
    ['cl100k_base'],
  );
  return snapshot;
}

/** The failed listing of a server that is not registered (any more). */
function unregistered(server: string): ServerListing {
  const error = new ServiceError('NOT_FOUND', {
    thing: `Server ${server}`,
    cause: 'It is not registered.',
    nextStep: 'Add it under Servers, then resume.',
  });
  return listingOf({ server, serverId: null }, failureReason(error));
}

/** Freezes tools that came with the request, as if their servers had listed them. */
export function freezeInlineTools(
  store: Store,
  tools: NonNullable<InlineSources['tools']>,
): string {
  const names = [...new Set(tools.map(({ tool }) => tool.server))];
  return store.toolSnapshots.freeze({
    servers: names.map((server) => listingOf({ server, serverId: null })),
    tools: tools.map((tool) => ({ serverId: null, tool })),
  }).id;
}
