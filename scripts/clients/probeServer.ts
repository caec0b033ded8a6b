import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * `node probeServer.ts FILE`: an MCP server over stdio that lists the tools of a file as they stand in
 * it. No library writes its answers, and it starts in an instant, also beside 20 others.
 */
const tools: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));

const results: Readonly<Record<string, (version: unknown) => unknown>> = {
  initialize: (protocolVersion) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'probe', version: '1.0.0' },
    instructions: 'INSTRUCTIONS',
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as {
    id?: number | string;
    method?: string;
    params?: { protocolVersion?: unknown };
  };
  if (id === undefined || method === undefined) continue;
  const result = results[method]?.(params?.protocolVersion);
  const answer =
    result === undefined
      ? { error: { code: -32601, message: `No method ${method}.` } }
      : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
