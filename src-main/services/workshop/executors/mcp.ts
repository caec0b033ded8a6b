import { signalWithTimeout } from '../../../runtime/deadline.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { McpToolConfig } from '../../../../src-shared/domain/executors.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { CalledTool, ConnectMcp, McpConnection } from '../../../adapters/mcp/mcpConnection.ts';
import { MissingParameter, renderJson } from '../templates.ts';
import {
  createExcerpt,
  failed,
  maxOutputBytes,
  succeeded,
  type ExecutionCall,
  type ExecutionResult,
} from './executor.ts';
import { parseJson } from './runChild.ts';

/** How to reach the tool's server; `server` is null if it is not registered. */
export interface McpTarget {
  connect: ConnectMcp;
  server: { name: string; config: ServerConfig } | null;
}

/**
 * Calls a tool of a registered server. Never retries, because the server may already have acted.
 */
export async function runMcp(
  { connect, server }: McpTarget,
  config: McpToolConfig,
  call: ExecutionCall,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  if (server === null)
    return failed('server', `There is no server "${config.server}". Register it, or fix the tool.`);
  let args;
  try {
    args = config.arguments === null ? call.arguments : renderJson(config.arguments, call);
  } catch (error) {
    if (error instanceof MissingParameter) return failed('template', error.message);
    throw error;
  }
  const callSignal = signalWithTimeout(signal, call.limitMs);
  let connection: McpConnection | null = null;
  try {
    connection = await connect(server, callSignal);
    const called = await connection.callTool(
      config.tool,
      isJsonObject(args) ? args : {},
      callSignal,
    );
    return readResult(called, connection.stderrTail(), call);
  } catch (error) {
    const stderrTail = connection?.stderrTail() ?? '';
    if (signal.aborted) return failed('cancelled', 'Canceled.', { stderrTail });
    if (callSignal.aborted)
      return failed(
        'timeout',
        `It timed out after ${Math.round(call.limitMs / 100) / 10} s: the server ` +
          `${server.name} did not answer.`,
        { stderrTail },
      );
    if (error instanceof ServiceError)
      return failed(
        'server',
        `${error.data.thing}: ${error.data.cause} ${error.data.nextStep}`.trim(),
        { stderrTail },
      );
    throw error;
  } finally {
    await connection?.close();
  }
}

function readResult(
  called: CalledTool,
  stderrTail: string,
  { redact }: ExecutionCall,
): ExecutionResult {
  const texts = called.content.flatMap((part) =>
    isJsonObject(part) && part['type'] === 'text' && typeof part['text'] === 'string'
      ? [part['text']]
      : [],
  );
  if (called.isError)
    return failed(
      'tool_error',
      `The tool answered with an error: ${texts.join('\n').slice(0, 2000) || 'it gave no reason'}`,
      { stderrTail },
    );
  const output = toOutput(called, texts);
  const written = Buffer.from(typeof output === 'string' ? output : JSON.stringify(output));
  if (written.length > maxOutputBytes)
    return failed('too_much_output', `The answer is larger than ${maxOutputBytes / 1024} kB.`, {
      stderrTail,
      excerpt: createExcerpt(written, true, redact),
    });
  return succeeded(output, stderrTail);
}

/**
 * The result: structured content if there is some, or else a single text, parsed if it is JSON, or
 * else all contents.
 */
function toOutput({ structuredContent, content }: CalledTool, texts: readonly string[]): JsonValue {
  if (structuredContent !== null) return structuredContent;
  const [text] = texts;
  if (content.length !== 1 || text === undefined) return content;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}
