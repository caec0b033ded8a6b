import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { skill } from '../../../../src-shared/domain/skill.ts';
import type { ReceivedItem } from '../../../../src-shared/domain/serverItem.ts';
import type { ReceivedTool } from '../../../../src-shared/domain/tool.ts';
import type { SecretGuard } from '../../../adapters/secrets/secretGuard.ts';
import type { CallOptions, McpConnection } from '../../../adapters/mcp/mcpConnection.ts';
import { readItem } from '../../../adapters/mcp/parseItem.ts';
import { parseTool } from '../../../adapters/mcp/parseTool.ts';

type Redactor = Pick<SecretGuard, 'redact' | 'redactValue'>;

/**
 * Wraps a connection so that everything the server says is redacted before it is stored or shown.
 */
export function redactConnection(connection: McpConnection, guard: Redactor): McpConnection {
  const { redact, redactValue } = guard;
  const redactErrors = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw redactError(error, guard);
    }
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
    async listItems(signal) {
      const { items, lists } = await redactErrors(connection.listItems(signal));
      const yieldIfDue = createYielder();
      const cleaned: ReceivedItem[] = [];
      for (const item of items) {
        cleaned.push(redactItem(item, redact));
        await yieldIfDue();
      }
      return { items: cleaned, lists: redactValue(lists) };
    },
    async callTool(name: string, args: JsonObject, signal: AbortSignal, options?: CallOptions) {
      const { content, structuredContent, ...rest } = await redactErrors(
        connection.callTool(name, args, signal, options),
      );
      return {
        ...rest,
        content: redactValue(content),
        structuredContent: redactValue(structuredContent),
      };
    },
    listChanges: () => connection.listChanges(),
    stderrTail: () => redact(connection.stderrTail()),
    close: () => connection.close(),
  };
}

function redactTool(received: ReceivedTool, redact: SecretGuard['redact']): ReceivedTool {
  const raw = redact(received.raw);
  if (raw === received.raw) return received;
  const value: unknown = JSON.parse(raw);
  const reparsed = parseTool(value, received.tool.server, 0);
  if (!('raw' in reparsed)) return received;
  if (received.tool.skill === undefined || !isJsonObject(value)) return reparsed;
  return { raw, tool: { ...reparsed.tool, skill: skill.parse(value['skill']) } };
}

function redactItem(received: ReceivedItem, redact: SecretGuard['redact']): ReceivedItem {
  const raw = redact(received.raw);
  if (raw === received.raw) return received;
  const item = readItem(JSON.parse(raw), received.item, 0);
  return 'reason' in item ? received : { raw, item };
}

export function redactError(error: unknown, { redactValue }: Redactor): unknown {
  if (!(error instanceof ServiceError)) return error;
  const data = redactValue(error.data);
  // No `cause`: the message of the original error contains what was just removed.
  return data === error.data ? error : new ServiceError(error.code, data);
}
