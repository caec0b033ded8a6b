import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ErrorData } from '../../../src-shared/contract/errors.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { isJsonObject, jsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolExecution } from '../../../src-shared/domain/toolExecution.ts';
import type { WorkshopBackend } from '../../services/workshop/serving.ts';

export type WorkshopLog = (line: string) => void;

export const logToStandardError: WorkshopLog = (line) =>
  void process.stderr.write(`workshop server: ${line}\n`);

// Arguments are passed on unchanged: the workshop validates them by the schema of the tool.
const callRequest = z.object({
  method: z.literal('tools/call'),
  params: z.looseObject({
    name: z.string(),
    arguments: z.unknown().optional(),
    _meta: z.looseObject({ traceparent: z.string().max(200).optional() }).optional(),
  }),
});

type CallParams = z.infer<typeof callRequest>['params'];

/**
 * A server for one connection that offers the ACTIVE tools. `announceChanges` notifies its client.
 */
export function createWorkshopServer(backend: WorkshopBackend, log: WorkshopLog): McpServer {
  const connection = new McpServer({
    name: 'touchstone-workshop',
    title: 'Touchstone workshop',
    version: '1.0.0',
  });
  const { server } = connection;
  server.registerCapabilities({ tools: { listChanged: true } });
  server.setRequestHandler(ListToolsRequestSchema, async (_request, { signal }) => ({
    tools: backend.redactValue(await backend.tools(signal)) as never[],
  }));
  const callTool = async (params: CallParams, signal: AbortSignal): Promise<CallToolResult> => {
    const args = params.arguments ?? {};
    const parsed = jsonObject.safeParse(args);
    if (!parsed.success) return failure("The arguments aren't a JSON object.");
    const tools = await backend.tools(signal);
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const caller = server.getClientVersion();
    const traceId = params._meta?.traceparent;
    try {
      const call = {
        tool: params.name,
        arguments: parsed.data,
        callerId: `mcp: ${caller?.name ?? 'unknown client'}`.slice(0, 200),
        ...(traceId === undefined ? {} : { traceId }),
      };
      return answer(await backend.call(call, signal), tool);
    } catch (error) {
      if (signal.aborted) throw error;
      const refusal = refusalOf(error);
      if (refusal === null) log(`${params.name}: ${errorText(error)}`);
      return failure(refusal ?? 'The workshop could not run this tool.');
    }
  };
  server.setRequestHandler(callRequest, async ({ params }, { signal }) =>
    backend.redactValue(await callTool(params, signal)),
  );
  return connection;
}

function answer(
  { status, outputData, errorMessage, outputExcerpt, stderrTail }: ToolExecution,
  tool: JsonObject,
): CallToolResult {
  if (status !== 'SUCCESS')
    return failure(errorMessage ?? `It ended as ${status}.`, {
      'Beginning of the output': outputExcerpt ?? '',
      'End of standard error': stderrTail,
    });
  const text = typeof outputData === 'string' ? outputData : JSON.stringify(outputData);
  // Without an output schema, a result is text only.
  const structured =
    tool['outputSchema'] !== undefined && isJsonObject(outputData)
      ? { structuredContent: outputData }
      : {};
  return { content: [{ type: 'text', text }], ...structured };
}

/** What a tool wrote lets a caller, often a model, correct its call. */
function failure(text: string, written: Readonly<Record<string, string>> = {}): CallToolResult {
  const parts = Object.entries(written)
    .filter(([, what]) => what.trim() !== '')
    .map(([label, what]) => `\n\n${label}:\n${what.trim()}`);
  return { isError: true, content: [{ type: 'text', text: text + parts.join('') }] };
}

/** The part of an error that helps a caller; the rest is internal. */
function refusalOf(error: unknown): string | null {
  const data = error instanceof Error && 'data' in error ? error.data : null;
  if (
    typeof data !== 'object' ||
    data === null ||
    !('cause' in data) ||
    typeof data.cause !== 'string'
  )
    return null;
  const { nextStep = '', onCommandLine = '' } = data as Partial<ErrorData>;
  return [data.cause, nextStep, onCommandLine].filter((part) => part !== '').join(' ');
}

/** Notifies every open connection of each change until the signal is aborted. */
export async function announceChanges(
  backend: WorkshopBackend,
  servers: () => Iterable<McpServer>,
  signal: AbortSignal,
  log: WorkshopLog,
): Promise<void> {
  let first = true;
  try {
    for await (const _revision of backend.revisions(signal)) {
      if (!first)
        for (const { server } of servers())
          await server.sendToolListChanged().catch(() => undefined);
      first = false;
    }
  } catch (error) {
    if (!signal.aborted) log(`changes are not announced any more: ${errorText(error)}`);
  }
}
