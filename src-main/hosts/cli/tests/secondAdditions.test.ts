import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const credential = 'kx7-Zq93LmV0pRt5uWy8BnA2';
let folder: TemporaryFolder;
let server: FakeModelServer;
const at = (name: string) => join(folder.path, name);
const address = () => `${server.origin}/v1`;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    rule: ({ body }) => ({
      does: 'answer',
      text: body['model'] === 'user' ? '###STOP###' : '{"verdict":"yes","reason":"It is."}',
    }),
  });
  const task = {
    id: 't',
    name: 't',
    turns: ['Hello.'],
    user: { goal: 'Be greeted.', knows: [], max_turns: 1 },
    checks: [{ judge: 'It was greeted.' }],
  };
  await writeFile(
    at('t.suite.json'),
    JSON.stringify({ version: 1, name: 't', servers: ['s'], cases: [task] }),
  );
  const schema = { type: 'object' };
  const tools = ['add_task', 'add_tasks'].map((name) => ({
    server: 's',
    name,
    description: 'Adds a task to the list.',
    input_schema: schema,
  }));
  await writeFile(at('tools.json'), JSON.stringify({ tools }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});
afterEach(() => vi.unstubAllEnvs());

const under = () => [
  ...['--suite', at('t.suite.json'), '--tools', at('tools.json'), '--model', 'm'],
  ...['--provider', 'openai-compatible', '--base-url', address()],
];
/** The additions in the requests to a model since one of them. */
const sentTo = (model: string, since: number) =>
  server.requests
    .slice(since)
    .filter(({ body }) => body['model'] === model)
    .map(({ headers, search, body }) => [headers['x-role'], search, body['tier']]);

it('adds to the requests of judges and simulated users what their options say', async () => {
  const before = server.requests.length;
  const { code, stderr } = await runCommand(
    [
      ...['eval', ...under(), '--header', 'x-role: tested'],
      ...['--judge-model', 'judge', '--judge-base-url', address()],
      ...['--judge-header', 'x-role: judge', '--judge-body', 'tier=fast'],
      ...['--judge-header', `x-api-key: ${credential}`],
      ...['--user-model', 'user', '--user-base-url', address()],
      ...['--user-header', 'x-role: user', '--user-query', 'v=2'],
      ...['--report', at('second.json')],
    ],
    { workspace: at('options') },
  );
  expect(code, stderr).not.toBe(2);
  expect(sentTo('m', before)[0]).toEqual(['tested', '', undefined]);
  expect(sentTo('judge', before)[0]).toEqual(['judge', '', 'fast']);
  expect(sentTo('user', before)[0]).toEqual(['user', '?v=2', undefined]);
  const asked = server.requests.slice(before).find(({ body }) => body['model'] === 'judge');
  expect(asked?.headers['x-api-key']).toBe(credential);
  const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile()))
    expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain(credential);
});

it('reads judge and user of a project file with all settings of a model', async () => {
  vi.stubEnv('OWN_ROLE', 'judge');
  const own = { provider: 'openai-compatible', base_url: address() };
  await writeFile(
    at('touchstone.yaml'),
    JSON.stringify({
      version: 1,
      suite: 't.suite.json',
      tools: 'tools.json',
      models: [{ ...own, model: 'm' }],
      judge: { ...own, model: 'judge', headers: { 'x-role': '${env:OWN_ROLE}' }, temperature: 0.2 },
      user: { ...own, model: 'user', query: { v: '3' } },
    }),
  );
  const before = server.requests.length;
  const { code, stderr } = await runCommand(['check', '--config', at('touchstone.yaml')], {
    workspace: at('file'),
  });
  expect(code, stderr).not.toBe(2);
  expect(sentTo('judge', before)[0]).toEqual(['judge', '', undefined]);
  expect(sentTo('user', before)[0]).toEqual([undefined, '?v=3', undefined]);
  const asked = server.requests.slice(before).find(({ body }) => body['model'] === 'judge');
  expect(asked?.body['temperature']).toBe(0.2);
});

it('adds to the requests of embedding models and of models that rewrite', async () => {
  vi.stubEnv('OWN_ROLE', 'embedder');
  const before = server.requests.length;
  await runCommand(
    [
      ...['similarity', '--tools', at('tools.json'), '--embedding-model', 'e'],
      ...['--base-url', address(), '--embedding-header', 'x-role: ${env:OWN_ROLE}'],
      ...['--embedding-body', 'tier=fast'],
    ],
    { workspace: at('similar') },
  );
  expect(sentTo('e', before)[0]).toEqual(['embedder', '', 'fast']);
  await runCommand(
    [
      ...['similarity', '--tools', at('tools.json'), '--recommend', '--threshold', '0'],
      ...['--revise-by', 'openai-compatible/r', '--revise-url', address()],
      ...['--revise-header', 'x-role: writer', '--revise-query', 'v=4'],
    ],
    { workspace: at('similar') },
  );
  expect(sentTo('r', before)[0]).toEqual(['writer', '?v=4', undefined]);
});

it.each([
  [['--judge-header', 'x-role: judge'], 'A judge needs a model'],
  [['--judge-model', 'j', '--judge-header', 'no colon'], '--judge-header: It needs the form'],
  [['--user-model', 'u', '--user-body', 'messages=[]'], 'messages is decided by'],
])('refuses %j', async (more, message) => {
  const { code, stderr } = await runCommand(['eval', ...under(), ...more], {
    workspace: at('bad'),
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
