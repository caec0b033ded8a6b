import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

export interface FindToolOptions {
  /** Returns a document with `tools` and `token_metrics`. */
  find: (description: string, keywords: string, k: number) => Promise<Record<string, unknown>>;
  /** The largest number of tools in an answer. */
  k: number;
}

/** The published tool. Arguments are validated by the same schema. */
const findToolDefinition: Tool = {
  name: 'find_tool',
  title: 'Find a tool',
  description:
    'Finds the tools that fit a description, best first, with what showing only them saves ' +
    'in tokens.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_description: { type: 'string', description: 'What the tool should do, in plain words' },
      tool_keywords: {
        type: 'string',
        description: 'Words that the tool should know, separated by blanks',
      },
    },
    required: ['tool_description'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const longest = 20_000;
const callArguments = z.strictObject({
  tool_description: z.string().max(longest),
  tool_keywords: z.string().max(longest).default(''),
});
const callRequest = z.object({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});

/**
 * A server with one tool that searches all others, so that a model does not need to see them all.
 */
export function createFindToolServer({ find, k }: FindToolOptions): McpServer {
  const connection = new McpServer({
    name: 'touchstone-find-tool',
    title: 'Find a tool',
    version: '1.0.0',
  });
  const { server } = connection;
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [findToolDefinition] }));
  server.setRequestHandler(callRequest, async ({ params }) => {
    if (params.name !== findToolDefinition.name)
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const parsed = callArguments.safeParse(params.arguments ?? {});
    if (!parsed.success)
      return answer(
        {
          error: {
            code: 'VALIDATION_ERROR',
            message: parsed.error.issues
              .map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
              .join(' '),
          },
        },
        true,
      );
    return answer(await find(parsed.data.tool_description, parsed.data.tool_keywords, k), false);
  });
  return connection;
}

function answer(document: Record<string, unknown>, isError: boolean) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(document) }],
    structuredContent: document,
    isError,
  };
}
