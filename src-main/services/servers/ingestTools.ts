import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ReceivedItem } from '../../../src-shared/domain/serverItem.ts';
import {
  listingOf,
  type ReceivedTool,
  type ServerListing,
} from '../../../src-shared/domain/tool.ts';
import type { ConnectMcp, McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import { MissingValues } from './connectWithVariables.ts';

export interface IngestedServer {
  listing: ServerListing;
  tools: ReceivedTool[];
  /** What it offers besides tools; absent if only tools were asked for. */
  items?: ReceivedItem[];
}

export interface IngestResult {
  servers: ServerListing[];
  tools: { serverId: string | null; tool: ReceivedTool }[];
}

/** Asks one server for all it offers: its tools, prompts, resources and templates. */
export const ingestOffer = (
  server: Pick<Server, 'id' | 'name' | 'config'>,
  connect: ConnectMcp,
  signal: AbortSignal,
): Promise<IngestedServer> => ingest(server, connect, signal, { withItems: true });

/**
 * Asks one server for all its tools. A failure becomes a failed listing, so that it never affects
 * the other servers. With a store, a server whose values are missing has the tools of its latest
 * listing.
 */
export const ingestServer = (
  server: Pick<Server, 'id' | 'name' | 'config'>,
  connect: ConnectMcp,
  signal: AbortSignal,
  store?: Store,
): Promise<IngestedServer> => ingest(server, connect, signal, { store, withItems: false });

async function ingest(
  server: Pick<Server, 'id' | 'name' | 'config'>,
  connect: ConnectMcp,
  signal: AbortSignal,
  { store, withItems }: { store?: Store | undefined; withItems: boolean },
): Promise<IngestedServer> {
  let connection: McpConnection;
  try {
    connection = await connect({ name: server.name, config: server.config }, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const stored =
      store && error instanceof MissingValues ? storedTools(store, server, error) : null;
    return stored ?? { tools: [], listing: failedListing(server, error) };
  }
  try {
    return await listOver(connection, server, signal, withItems);
  } finally {
    await connection.close();
  }
}

/** Lists what a server offers over an open connection. A failure becomes a failed listing. */
export async function listOver(
  connection: McpConnection,
  server: Pick<Server, 'id' | 'name'>,
  signal: AbortSignal,
  withItems: boolean,
): Promise<IngestedServer> {
  try {
    const listed = await connection.listTools(signal);
    const offer = withItems ? await connection.listItems(signal) : null;
    return {
      tools: listed.tools,
      ...(offer && { items: offer.items }),
      listing: {
        server: server.name,
        serverId: server.id,
        status: 'listed',
        error: null,
        instructions: listed.instructions,
        protocolVersion: listed.protocolVersion,
        serverInfo: listed.serverInfo,
        rejected: listed.rejected,
        ...(offer && { items: offer.lists }),
      },
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { tools: [], listing: failedListing(server, error) };
  }
}

/** Why a server could not be reached or listed, with the next step. */
export const failureReason = (error: unknown): string =>
  error instanceof ServiceError
    ? `${error.data.cause} ${error.data.nextStep}`.trim()
    : `Could not list its tools: ${errorText(error)}`;

const failedListing = ({ id, name }: Pick<Server, 'id' | 'name'>, error: unknown): ServerListing =>
  listingOf({ server: name, serverId: id }, failureReason(error));

/** The tools of a server's latest listing, which says why they are used. Null without a listing. */
function storedTools(
  store: Store,
  { id, name }: Pick<Server, 'id' | 'name'>,
  { data: { cause, nextStep } }: MissingValues,
): IngestedServer | null {
  const latest = store.serverListings.latest(id);
  const snapshot = latest && store.toolSnapshots.get(latest.snapshotId);
  if (!latest || !snapshot?.servers[0]) return null;
  const { items: _items, ...listing } = snapshot.servers[0];
  const day = latest.createdAt.slice(0, 10);
  return {
    listing: {
      ...listing,
      server: name,
      serverId: id,
      error: `${cause} Its tools as listed on ${day} are used. ${nextStep}`,
    },
    tools: snapshot.tools.map((tool) => ({
      tool: { ...tool, server: name },
      raw: store.toolSnapshots.raw(tool.hash),
    })),
  };
}

/**
 * Asks all servers in parallel; results in the order of `servers`. See `ingestServer`. Rejects only
 * when every server was asked and its connection closed, so that an abort leaves no process behind.
 */
export async function ingestTools(
  servers: readonly Pick<Server, 'id' | 'name' | 'config'>[],
  connect: ConnectMcp,
  signal: AbortSignal,
  store?: Store,
): Promise<IngestResult> {
  const asked = servers.map((server) => ingestServer(server, connect, signal, store));
  await Promise.allSettled(asked);
  const ingested = await Promise.all(asked);
  return {
    servers: ingested.map(({ listing }) => listing),
    tools: ingested.flatMap(({ listing, tools }) =>
      tools.map((tool) => ({ serverId: listing.serverId, tool })),
    ),
  };
}
