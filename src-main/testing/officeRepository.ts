/** A repository whose tools the built-in selector tells apart by one word each. */
export const officeWords = [
  ...['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'],
];

export const goodDescription = (word: string): string => `Finds a ${word} by its words.`;

export const officeTools = (description: (word: string) => string) => ({
  tools: officeWords.map((word, index) => ({
    ...{ server: 'office', name: `t${index}`, description: description(word) },
    input_schema: { type: 'object' },
  })),
});

export const officeSuite = {
  version: 1,
  name: 'office',
  servers: ['office'],
  cases: officeWords.map((word, index) => ({
    ...{ id: `find-${word}`, name: `Find a ${word}`, query: `find the ${word} of last week` },
    expected_calls: [{ server: 'office', tool: `t${index}` }],
  })),
};

export const officeProject = {
  version: 1,
  suite: 'suite.yaml',
  tools: 'tools.json',
  models: [{ provider: 'builtin' }],
};

/** Speaks MCP over stdio and offers what `tools.json` of its folder has. */
export const snapshotServer = `
import { readFileSync } from 'node:fs';
import readline from 'node:readline';
const { tools } = JSON.parse(readFileSync(new URL('tools.json', import.meta.url)));
const offered = tools.map(({ server, input_schema: inputSchema, ...tool }) => ({ ...tool, inputSchema }));
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 'parcels', version: '1' };
  if (method === 'initialize')
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/list') send({ id, result: { tools: offered } });
  else send({ id, error: { code: -32601, message: 'There is no such method.' } });
});
`;
