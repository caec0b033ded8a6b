import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { NewEvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import type { ServerListing, ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { ConnectMcp } from '../../../adapters/mcp/mcpConnection.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import type { TokenCounts } from '../../tokenCounts/tokenCounts.ts';
import { ingestTools } from '../../servers/ingestTools.ts';
import { keepAnswer } from '../../servers/keepListing.ts';
import { serversOf } from '../plan/planEvaluation.ts';

/** All servers that a case needs, in the order in which the cases first name them. */
export async function neededServers(
  store: Store,
  evaluation: Pick<EvaluationRow, 'id' | 'settings' | 'suite'>,
): Promise<string[]> {
  const names = new Set<string>();
  const yieldIfDue = createYielder();
  for (const { content } of store.entries.each('case', evaluation.id)) {
    for (const name of serversOf(content, evaluation.settings, evaluation.suite.servers))
      names.add(name);
    await yieldIfDue();
  }
  return [...names];
}

/** Whose tools are frozen. */
export interface Freezing {
  snapshotId: string | null;
  /** True where the tools came with the request: then no server is asked. */
  inlineTools: boolean;
  neededServers: () => Promise<readonly string[]>;
  /** Keeps the snapshot with the event that reports it. Called inside a transaction. */
  keep: (snapshot: ToolSnapshot, event: IngestedEvent) => () => void;
}
type IngestedEvent = Extract<NewEvaluationEvent, { type: 'ingested' }>;

/**
 * Returns the frozen tools of an evaluation and stores them if needed. Servers that have answered
 * are never asked again: a resume lists only those that failed, and the tools of the others stay
 * unchanged.
 */
export async function freezeTools(
  parts: {
    store: Store;
    tokens: TokenCounts;
    connect: ConnectMcp;
    clock: Clock;
    nextId: NextId;
  },
  { snapshotId, inlineTools, neededServers, keep }: Freezing,
  signal: AbortSignal,
): Promise<ToolSnapshot> {
  const { store } = parts;
  const frozen = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  const kept = frozen?.servers.filter(({ status }) => status === 'listed') ?? [];
  if (frozen && (inlineTools || kept.length === frozen.servers.length)) return frozen;

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

  const { snapshot, publish } = store.transaction(() => {
    const created = store.toolSnapshots.freeze({
      servers,
      tools: [...keptTools, ...ingested.tools],
    });
    return {
      snapshot: created,
      publish: keep(created, {
        type: 'ingested',
        snapshotId: created.id,
        tools: created.tools.length,
        servers: created.servers,
        rejected: created.servers.flatMap(({ rejected }) => rejected),
      }),
    };
  });
  publish();
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
  return {
    server,
    serverId: null,
    status: 'failed',
    error: `${error.data.cause} ${error.data.nextStep}`,
    instructions: null,
    protocolVersion: null,
    serverInfo: null,
    rejected: [],
  };
}
