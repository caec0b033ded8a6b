import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp, McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import type { Secrets } from '../../adapters/secrets/secrets.ts';
import { looksSecret } from './import/maskSecrets.ts';

/**
 * A server knows the secrets that it was started with, and may put them into whatever it says. From here on they are redacted by value in all of it, and in what
 * models answer and what is logged. It takes the configuration with its references filled in.
 */
export function guardingConnect(connect: ConnectMcp, secrets: Pick<Secrets, 'guard' | 'redact'>): ConnectMcp {
  const clean = <Value>(value: Value): Value => {
    const text = JSON.stringify(value);
    const redacted = secrets.redact(text);
    return redacted === text ? value : (JSON.parse(redacted) as Value);
  };
  return async (target, signal) => {
    for (const value of secretValues(target.config)) secrets.guard(value);
    let connection: McpConnection;
    try {
      connection = await connect(target, signal);
    } catch (error) {
      throw error instanceof ServiceError ? new ServiceError(error.code, clean(error.data), { cause: error.cause }) : error;
    }
    const again = (error: unknown): never => {
      throw error instanceof ServiceError ? new ServiceError(error.code, clean(error.data), { cause: error.cause }) : error;
    };
    return {
      protocolVersion: connection.protocolVersion,
      greeting: clean(connection.greeting),
      async listTools(inner) {
        const listed = await connection.listTools(inner).catch(again);
        return { ...clean({ ...listed, tools: [] }), tools: listed.tools.map((tool) => ({ tool: clean(tool.tool), raw: secrets.redact(tool.raw) })) };
      },
      callTool: async (name, args, inner) => clean(await connection.callTool(name, args, inner).catch(again)),
      stderrTail: () => secrets.redact(connection.stderrTail()),
      close: () => connection.close(),
    };
  };
}

/** Values that a name or their form gives away; of "Bearer x" the x. */
function secretValues(config: ServerConfig): string[] {
  const pairs = Object.entries(config.transport === 'stdio' ? config.env : config.headers);
  return pairs.filter(([name, value]) => looksSecret(name, value)).map(([, value]) => value.replace(/^\s*(?:bearer|basic|token)\s+/i, '').trim());
}
