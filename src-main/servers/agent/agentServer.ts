import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListToolsRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { AgentTool } from './agentTool.ts';

export interface AgentServerOptions {
  tools: readonly AgentTool[];
  version: string;
  /** Takes secrets out of every answer. */
  redact: <Value>(value: Value) => Value;
}

const instructions =
  'Touchstone measures whether models pick the right MCP tool. To improve a tool: list_suites and ' +
  'list_evaluations show what exists, read_failures says why cases fail, check_tools finds weak ' +
  'or ambiguous descriptions, get_tool returns a definition, and, where they are offered, try_candidate estimates a new ' +
  'wording, run_evaluation measures a suite and compare_evaluations tells whether a change helped. ' +
  'Whether a wording is proven, on held-out cases that ' +
  'no tool shows, a person decides in Touchstone.';

/** An MCP server with the given tools. Arguments and answers are checked by their schemas. */
export function createAgentServer({ tools, version, redact }: AgentServerOptions): McpServer {
  const server = new McpServer(
    { name: 'touchstone', title: 'Touchstone', version },
    { instructions },
  );
  for (const { name, call, ...definition } of tools)
    server.registerTool(name, definition, async (args, extra): Promise<CallToolResult> => {
      const token = extra._meta?.progressToken;
      const progress = (done: number, total: number): void => {
        if (token === undefined) return;
        // A client that is gone needs no progress.
        void extra
          .sendNotification({
            method: 'notifications/progress',
            params: { progressToken: token, progress: done, total },
          })
          .catch(() => undefined);
      };
      try {
        const answer = redact(await call(args, { signal: extra.signal, progress }));
        return {
          content: [{ type: 'text', text: JSON.stringify(answer) }],
          structuredContent: answer,
        };
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: redact(errorText(error)) }] };
      }
    });
  // The SDK writes draft-07, and a client refuses output schemas that aren't 2020-12.
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ call: _call, inputSchema, outputSchema, ...listed }) => ({
      ...listed,
      inputSchema: { type: 'object' as const, ...written(inputSchema, 'input') },
      outputSchema: { type: 'object' as const, ...written(outputSchema, 'output') },
    })),
  }));
  return server;
}

/** Any JSON value is a type of its own here, and has no schema. */
const written = (schema: z.ZodObject, io: 'input' | 'output'): object => {
  const {
    type: _type,
    $schema: _dialect,
    ...members
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return members;
};
