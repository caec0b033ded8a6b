import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { TodoClock, TodoStore } from './todoStore.ts';
import { callTodoTool, type TodoLog } from './todoTools.ts';
import { toolDefinitions, toolNames, type ToolName } from './toolSchemas.ts';

export interface TodoServerOptions {
  /** The database file. It and its folder are created by the first call. */
  file: string;
  clock?: TodoClock;
  /** Gets errors that callers must not see; standard error by default. */
  log?: TodoLog;
}

export const systemTime: TodoClock = { now: () => new Date().toISOString() };

export function logToStandardError(line: string): void {
  process.stderr.write(`todo server: ${line}\n`);
}

// Arguments are passed on unchanged: the tools validate them, and nothing is dropped or coerced
// before.
const callRequest = z.object({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});

/**
 * A server for one connection; all connections share the store. Handlers are registered on the
 * low-level server, because the tools validate and publish their own schemas.
 */
export function createTodoServer(store: TodoStore, log: TodoLog): McpServer {
  const connection = new McpServer(
    { name: 'touchstone-todo', title: 'Todo', version: '1.0.0' },
    {
      instructions:
        'Todo lists, one for each user. Every call needs the user_id; tasks are named by their id.',
    },
  );
  const { server } = connection;
  // Declared here, because the constructor would announce that the list of tools may change.
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...toolDefinitions] }));
  server.setRequestHandler(callRequest, ({ params }) => {
    if (!isToolName(params.name))
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return { ...callTodoTool(params.name, params.arguments, store, log) };
  });
  return connection;
}

function isToolName(name: string): name is ToolName {
  return (toolNames as readonly string[]).includes(name);
}
