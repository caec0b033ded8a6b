// A small agent that Touchstone can start as it starts a real one. It has no model: it takes the tool
// whose name begins with a word of the request, calls it once, and prints what came back.
//
//   node agent.mjs MCP_CONFIG     with the request on standard input
//   node agent.mjs --version
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const [config] = process.argv.slice(2);
if (config === '--version') {
  console.log('sample-agent 1.0.0');
  process.exit(0);
}

/** Starts a server and returns a function that sends it a request. */
function connect({ command, args, env }) {
  const server = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.(result ?? { content: [{ text: error?.message }] });
  });
  const send = (message) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  return { send, ask, end: () => server.kill() };
}

const wordsOf = (words) => words.toLowerCase().match(/[a-z]+/g) ?? [];

/** A value for an argument: an id that the request states, a number, or a text in quotes. */
function valueOf(name, { type } = {}, request) {
  if (name.endsWith('_id') && type === 'string') return /\bid is ([\w-]*\w)/.exec(request)?.[1];
  const [last] = request.split('\n').slice(-1);
  if (type === 'integer' || type === 'number') {
    const number = /\d+/.exec(last)?.[0];
    return number === undefined ? undefined : Number(number);
  }
  return name === 'title' ? /["“](.+?)["”]/.exec(last)?.[1] : undefined;
}

// Its home folder lasts as long as a run: what the user said in earlier turns is kept there.
const session = join(homedir(), 'session.txt');
const earlier = existsSync(session) ? `${readFileSync(session, 'utf8')}\n` : '';
const request = earlier + (await text(process.stdin)).trim();
writeFileSync(session, request);
// The system prompt and earlier messages come first.
const said = wordsOf(request.split('\n').at(-1).replaceAll(/["“].*?["”]/g, ''));
const servers = Object.values(JSON.parse(readFileSync(config, 'utf8')).mcpServers).map(connect);
const tools = [];
for (const server of servers) {
  await server.ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'sample-agent', version: '1.0.0' },
  });
  server.send({ method: 'notifications/initialized' });
  const listed = await server.ask('tools/list', {});
  tools.push(...listed.tools.map((tool) => ({ ...tool, server })));
}
const best = tools.find(({ name }) => said.includes(wordsOf(name)[0]));
if (best === undefined) console.log('I have no tool for that.');
else {
  const { name, inputSchema, server } = best;
  const given = Object.entries(inputSchema.properties ?? {}).flatMap(([key, schema]) => {
    const value = valueOf(key, schema, request);
    return value === undefined ? [] : [[key, value]];
  });
  const { content } = await server.ask('tools/call', { name, arguments: Object.fromEntries(given) });
  console.log(content[0]?.text ?? 'Done.');
}
for (const server of servers) server.end();
