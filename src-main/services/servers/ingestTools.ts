import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ReceivedTool, ServerListing } from '../../../src-shared/domain/tool.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';

export interface IngestedServer {
  listing: ServerListing;
  tools: ReceivedTool[];
}

export interface IngestResult {
  servers: ServerListing[];
  tools: { serverId: string | null; tool: ReceivedTool }[];
}

/**
 * Asks one server for all its tools. A failure becomes a failed listing, so that it never affects
 * the other servers.
 */
export async function ingestServer(
  server: Pick<Server, 'id' | 'name' | 'config'>,
  connect: ConnectMcp,
  signal: AbortSignal,
): Promise<IngestedServer> {
  const identity = { server: server.name, serverId: server.id };
  try {
    const connection = await connect({ name: server.name, config: server.config }, signal);
    try {
      const listed = await connection.listTools(signal);
      return {
        tools: listed.tools,
        listing: {
          ...identity,
          status: 'listed',
          error: null,
          instructions: listed.instructions,
          protocolVersion: listed.protocolVersion,
          serverInfo: listed.serverInfo,
          rejected: listed.rejected,
        },
      };
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return { tools: [], listing: failedListing(identity, error) };
  }
}

function failedListing(
  identity: { server: string; serverId: string | null },
  error: unknown,
): ServerListing {
  const reason =
    error instanceof ServiceError
      ? `${error.data.cause} ${error.data.nextStep}`.trim()
      : `Could not list its tools: ${errorText(error)}`;
  return {
    ...identity,
    status: 'failed',
    error: reason,
    instructions: null,
    protocolVersion: null,
    serverInfo: null,
    rejected: [],
  };
}

/** Asks all servers in parallel; results in the order of `servers`. */
export async function ingestTools(
  servers: readonly Pick<Server, 'id' | 'name' | 'config'>[],
  connect: ConnectMcp,
  signal: AbortSignal,
): Promise<IngestResult> {
  const ingested = await Promise.all(
    servers.map((server) => ingestServer(server, connect, signal)),
  );
  return {
    servers: ingested.map(({ listing }) => listing),
    tools: ingested.flatMap(({ listing, tools }) =>
      tools.map((tool) => ({ serverId: listing.serverId, tool })),
    ),
  };
}
