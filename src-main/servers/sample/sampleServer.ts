import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programFiles } from '../../runtime/programFiles.ts';
import { serveOverStdio } from '../serveOverStdio.ts';

/** The servers of the sample that only publish definitions. */
export const sampleServerNames = ['calendar', 'mail', 'files'] as const;
export type SampleServerName = (typeof sampleServerNames)[number];

const notExecuted =
  'Definitions only: this sample server lists its tools for analyses and evaluations, and runs none.';

/**
 * Lists the bundled tools of one sample server. Evaluations never run a tool, so nothing behind the
 * definitions is needed; a call is answered with an error that says so.
 */
async function createSampleServer(name: SampleServerName): Promise<McpServer> {
  const file = join(programFiles.datasets, 'sample', `${name}.tools.json`);
  const { tools } = ListToolsResultSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const connection = new McpServer(
    {
      name: `touchstone-sample-${name}`,
      title: `Sample ${name} (definitions only)`,
      version: '1.0.0',
    },
    { instructions: notExecuted },
  );
  const { server } = connection;
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (!tools.some((tool) => tool.name === params.name))
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return { content: [{ type: 'text', text: notExecuted }], isError: true };
  });
  return connection;
}

/** Serves over standard input and output, see `serveOverStdio`. */
export async function serveSample(name: SampleServerName): Promise<void> {
  await serveOverStdio(await createSampleServer(name), {
    log: (line) => void process.stderr.write(`sample server: ${line}\n`),
  });
}
