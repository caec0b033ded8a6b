import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { officialSdks } from '../../../testing/testPrograms.ts';

/* What agents and servers do that has broken real clients, from a command to its verified report. */
/** An agent that calls the tools which its request names, lists them again, or dies. */
const program = `
import { Client, StdioClientTransport } from '${officialSdks()}';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
const words = (await text(process.stdin)).trim().split(' ');
const { command, args, env } = JSON.parse(readFileSync(process.argv[2], 'utf8')).mcpServers.odd;
const client = new Client({ name: 'stand-in', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args, env }));
const sizes = [];
for (const word of words)
  if (word === 'die') process.abort();
  else if (word === 'list') sizes.push((await client.listTools()).tools.length);
  else sizes.push((await client.callTool({ name: word, arguments: {} })).content[0].text.length);
console.log(sizes.join(' '));
await client.close();
`;

/** A server that counts, grows a tool when it is called, and answers what others stumble over. */
const server = `
const tell = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const schema = { type: 'object', properties: {} };
const tools = ['surrogate', 'large', 'count', 'grow'].map((name) => ({ name, inputSchema: schema }));
let rest = '';
let count = '';
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize')
      tell({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'odd', version: '1' } } });
    else if (method === 'tools/list') tell({ id, result: { tools } });
    else if (method === 'tools/call') {
      if (params.name === 'grow') {
        tools.push({ name: 'grown', inputSchema: schema });
        tell({ method: 'notifications/tools/list_changed' });
      }
      if (params.name === 'count') count += 'x';
      const texts = { surrogate: 'a\\ud800b', large: 'x'.repeat(200000), count };
      tell({ id, result: { content: [{ type: 'text', text: texts[params.name] ?? 'done' }] } });
    } else if (id !== undefined) tell({ id, error: { code: -32601, message: 'no such method' } });
  }
});
`;

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('agent.mjs'), program);
  writeFileSync(at('odd.cjs'), server);
  writeFileSync(
    at('agent.yaml'),
    JSON.stringify({
      name: 'stand-in',
      command: [process.execPath, './agent.mjs', '{{mcp_config}}'],
    }),
  );
  await run('servers', 'add', 'odd', '--stdio', `"${process.execPath}" "${at('odd.cjs')}"`);
});
afterAll(() => folder.remove());

interface Report {
  runs: { outcome: string }[];
}

/** Plays a task whose request is what the agent does, and whose answer are the sizes that it got. */
async function play(request: string, sizes: string, ...more: string[]) {
  const name = request.replaceAll(' ', '-');
  writeFileSync(
    at(`${name}.suite.json`),
    JSON.stringify({
      ...{ version: 1, name, servers: ['odd'] },
      cases: [{ id: name, name, turns: [request], checks: [{ answer: sizes }] }],
    }),
  );
  const file = at(`${name}.json`);
  const ended = await run(
    ...['eval', '--suite', at(`${name}.suite.json`), '--agent', at('agent.yaml')],
    ...['--execute', 'full', '--yes', '--json', '--report', file, ...more],
  );
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const verified = await run('verify', file);
  return { ...ended, report, verified };
}

describe('a task that an agent plays', () => {
  it('gets a lone surrogate as it is, a result of 200,000 characters up to the limit, and can be verified', async () => {
    const { code, stderr, report, verified } = await play('surrogate large', '3 50046');
    expect(code, stderr).toBe(0);
    expect(report.runs).toMatchObject([{ outcome: 'succeeded' }]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
  });

  it('is offered the frozen tools where the server changes its list, and an error for a new one', async () => {
    const { code, stderr, report } = await play('list grow list grown', '4 4 4 31');
    expect(code, stderr).toBe(0);
    expect(report.runs).toMatchObject([{ outcome: 'succeeded' }]);
  });

  it('has a server of its own, however many agents play at once', async () => {
    const { code, stderr, report } = await play(
      ...(['count count', '1 2'] as const),
      ...['--repetitions', '4', '--concurrency', '4'],
    );
    expect(code, stderr).toBe(0);
    expect(report.runs.map(({ outcome }) => outcome)).toEqual(Array(4).fill('succeeded'));
  });

  it('isn’t scored where the agent dies by a signal, which is named', async () => {
    const { code, report, stdout, stderr } = await play('count die', '');
    expect(code).toBe(3);
    expect(report.runs).toMatchObject([{ outcome: 'not_scored' }]);
    expect(stdout + stderr).toMatch(/SIGABRT/);
  });
});
