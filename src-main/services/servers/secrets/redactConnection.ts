import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ReceivedTool } from '../../../../src-shared/domain/tool.ts';
import type { McpConnection } from '../../../adapters/mcp/mcpConnection.ts';
import { parseTool } from '../../../adapters/mcp/parseTool.ts';

type Redact = (text: string) => string;

/**
 * Wraps a connection so that everything the server says is redacted before it is stored or shown.
 */
export function redactConnection(connection: McpConnection, redact: Redact): McpConnection {
  const redactErrors = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw redactError(error, redact);
    }
  };
  const redactValue = <T>(value: T): T => {
    const text = JSON.stringify(value) as string | undefined;
    const redacted = text === undefined ? text : redact(text);
    return redacted === undefined || redacted === text ? value : (JSON.parse(redacted) as T);
  };
  return {
    get protocolVersion() {
      return connection.protocolVersion;
    },
    get greeting() {
      return redactValue(connection.greeting);
    },
    async listTools(signal) {
      const listed = await redactErrors(connection.listTools(signal));
      const { tools, ...rest } = listed;
      const yieldIfDue = createYielder();
      const cleaned: ReceivedTool[] = [];
      for (const tool of tools) {
        cleaned.push(redactTool(tool, redact));
        await yieldIfDue();
      }
      return { ...redactValue(rest), tools: cleaned };
    },
    async callTool(name: string, args: JsonObject, signal: AbortSignal) {
      const { content, structuredContent, ...rest } = await redactErrors(
        connection.callTool(name, args, signal),
      );
      return {
        ...rest,
        content: redactValue<JsonValue[]>(content),
        structuredContent: redactValue<JsonValue | null>(structuredContent),
      };
    },
    listChanges: () => connection.listChanges(),
    stderrTail: () => redact(connection.stderrTail()),
    close: () => connection.close(),
  };
}

function redactTool(received: ReceivedTool, redact: Redact): ReceivedTool {
  const raw = redact(received.raw);
  if (raw === received.raw) return received;
  const reparsed = parseTool(JSON.parse(raw), received.tool.server, 0);
  return 'raw' in reparsed ? reparsed : received;
}

export function redactError(error: unknown, redact: Redact): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { thing, cause, nextStep } = error.data;
  // No `cause`: the message of the original error contains what was just removed.
  return new ServiceError(error.code, {
    ...error.data,
    thing: redact(thing),
    cause: redact(cause),
    nextStep: redact(nextStep),
  });
}
