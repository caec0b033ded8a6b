import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import { createConnector, type ConnectorOptions } from '../../adapters/mcp/connect.ts';
import type { McpConnection } from '../../adapters/mcp/mcpConnection.ts';

/** Long enough for a busy machine, so that only the tested limit is ever reached. */
const generous = { connectMs: 20_000, startMs: 20_000, listMs: 20_000, callMs: 20_000 };

export const never = new AbortController().signal;

/**
 * Connects to a server that is called "weather", runs the action, and always closes the connection.
 */
export async function withConnection<T>(
  config: ServerConfig,
  act: (connection: McpConnection) => Promise<T>,
  options: ConnectorOptions = {},
): Promise<T> {
  const connect = createConnector({ ...options, deadlines: { ...generous, ...options.deadlines } });
  const connection = await connect({ name: 'weather', config }, never);
  try {
    return await act(connection);
  } finally {
    await connection.close();
  }
}

/** Returns the error that the work must reject with. */
export async function troubleFrom(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('No error came.');
}
