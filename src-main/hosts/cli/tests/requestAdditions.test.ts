import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import type { SeenRequest } from '../../../testing/fakeModelServer/react.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const credential = 'kx7-Zq93LmV0pRt5uWy8BnA2';
let folder: TemporaryFolder;
let server: FakeModelServer;
/** What the endpoint refuses of a request; undefined: nothing. */
let refusalOf: (request: SeenRequest) => string | undefined = () => undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    rule: (request) => {
      const message = refusalOf(request);
      return message === undefined
        ? callWhatIsNamed(request)
        : { does: 'error', status: 400, type: 'invalid_request_error', message };
    },
  });
  const cases = ['a', 'b', 'c'].map((id) => ({
    id,
    name: id,
    query: `please add_task ${id}`,
    expected_calls: [{ server: 's', tool: 'add_task' }],
  }));
  await writeFile(
    join(folder.path, 's.suite.json'),
    JSON.stringify({ version: 1, name: 's', servers: ['s'], cases }),
  );
  await writeFile(
    join(folder.path, 't.suite.json'),
    JSON.stringify({
      version: 1,
      name: 't',
      servers: ['s'],
      cases: [
        {
          id: 't',
          name: 't',
          turns: ['please add_task', 'again add_task'],
          checks: [{ calls: { must: ['add_task'], ordered: false, never: [] } }],
        },
      ],
    }),
  );
  await writeFile(
    join(folder.path, 'tools.json'),
    JSON.stringify({
      tools: [
        { server: 's', name: 'add_task', description: 'Adds.', input_schema: { type: 'object' } },
      ],
    }),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});
afterEach(() => {
  refusalOf = () => undefined;
  vi.unstubAllEnvs();
});

const at = (name: string) => join(folder.path, name);
const evaluate = (workspace: string, suite: string, ...more: string[]) =>
  runCommand(
    [
      ...['eval', '--suite', at(suite), '--tools', at('tools.json'), '--model', 'm'],
      ...['--provider', 'openai-compatible', '--base-url', `${server.origin}/v1`, ...more],
    ],
    { workspace: at(workspace) },
  );
const reportOf = async (name: string) =>
  JSON.parse(await readFile(at(name), 'utf8')) as {
    models: { sent: object; refused?: object[]; conditions: Record<string, unknown> }[];
    runs: object[];
  };
const notSent = "openai-compatible · m: temperature wasn't sent: the endpoint refused it.";
const refusesTemperature = ({ body }: SeenRequest) =>
  'temperature' in body ? '`temperature` is deprecated for this model.' : undefined;

it.each(['s.suite.json', 't.suite.json'])(
  'says at the end, in reports and in comparisons that %s went on without a refused setting',
  async (suite) => {
    const sent = (name: string) => ['--report', at(name), '--stamp', 'x'];
    await evaluate('refused', suite, ...sent('before.json'));
    refusalOf = refusesTemperature;
    const before = server.requests.length;
    const { code, stderr } = await evaluate(
      'refused',
      suite,
      ...sent('after.json'),
      '--concurrency',
      '1',
      '--report',
      at('after.md'),
      '--record',
      at(`${suite}.jsonl`),
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining(notSent)]);
    // Asked once with it, and never again.
    const asked = server.requests.slice(before).filter(({ body }) => 'temperature' in body);
    expect(asked).toHaveLength(1);
    const [model] = (await reportOf('after.json')).models;
    const refused = [
      {
        setting: 'temperature',
        instead: null,
        said: '`temperature` is deprecated for this model.',
      },
    ];
    expect(model).toMatchObject({ refused, conditions: { temperature: null } });
    expect((await reportOf('before.json')).models[0]).not.toHaveProperty('refused');
    expect(await readFile(at('after.md'), 'utf8')).toContain('Refused settings');
    const verified = await runCommand(['verify', at('after.json')], { workspace: at('refused') });
    expect(verified.code, verified.stdout).toBe(0);
    const compared = await runCommand(['compare', at('before.json'), at('after.json')], {
      workspace: at('refused'),
    });
    expect(compared.stdout + compared.stderr).toContain('temperature: 0.4 → none');
    // A replay says what was learned then.
    const replayed = await runCommand(
      [
        'eval',
        '--suite',
        at(suite),
        '--tools',
        at('tools.json'),
        '--provider',
        'replay',
        '--model',
        'm',
        '--replay',
        at(`${suite}.jsonl`),
        ...sent('replayed.json'),
      ],
      { workspace: at('replayed') },
    );
    expect(replayed.stderr).toContain("m: temperature wasn't sent: the endpoint refused it.");
    expect((await reportOf('replayed.json')).models[0]?.refused).toEqual(refused);
  },
);

it('keeps what was learned with answers of a cache, and asks again for another credential', async () => {
  refusalOf = refusesTemperature;
  const ask = (key: string) =>
    evaluate('cached', 's.suite.json', '--cache', at('cache'), '--header', `x-api-key: ${key}`);
  await ask(credential);
  const before = server.requests.length;
  expect((await ask(credential)).stderr).toContain(notSent);
  expect(server.requests).toHaveLength(before);
  await ask(`${credential}9`);
  expect(server.requests.length).toBeGreaterThan(before);
});

it('sends temperature never where it is none, by option, variable and file', async () => {
  const project = (more: object) =>
    writeFile(
      at('touchstone.yaml'),
      JSON.stringify({
        version: 1,
        suite: 's.suite.json',
        tools: 'tools.json',
        models: [
          { provider: 'openai-compatible', model: 'm', base_url: `${server.origin}/v1`, ...more },
        ],
      }),
    );
  const check = () =>
    runCommand(['check', '--config', at('touchstone.yaml')], { workspace: at('none') });
  await evaluate('none', 's.suite.json', '--temperature', 'none');
  expect(server.requests.at(-1)?.body).not.toHaveProperty('temperature');
  for (const temperature of ['none', null]) {
    await project({
      temperature,
      headers: { 'x-tier': 'fast' },
      query: { v: '2' },
      body: { user: 'u' },
      stream: true,
    });
    const { code, stderr } = await check();
    expect(code, stderr).not.toBe(2);
    const { body, headers, search } = server.requests.at(-1)!;
    expect(body).not.toHaveProperty('temperature');
    expect([body['user'], body['stream'], headers['x-tier'], search]).toEqual([
      'u',
      true,
      'fast',
      '?v=2',
    ]);
  }
  vi.stubEnv('TOUCHSTONE_TEMPERATURE', 'none');
  const { stderr } = await evaluate('none', 's.suite.json');
  expect(stderr).toContain('temperature none (TOUCHSTONE_TEMPERATURE)');
  expect(server.requests.at(-1)?.body).not.toHaveProperty('temperature');
});

it('moves credentials of options to the key store and refuses them in files', async () => {
  const { code, stdout, stderr } = await evaluate(
    'secret',
    's.suite.json',
    '--header',
    `Authorization: Bearer ${credential}`,
    '--query',
    `token=${credential}`,
    '--body',
    `auth={"password":"${credential}"}`,
    '--report',
    at('secret.json'),
    '--record',
    at('secret.jsonl'),
    '--json',
  );
  expect(code, stderr).toBe(0);
  const { headers, search, body } = server.requests.at(-1)!;
  expect([headers.authorization, search, body['auth']]).toEqual([
    `Bearer ${credential}`,
    `?token=${credential}`,
    { password: credential },
  ]);
  expect((await reportOf('secret.json')).models[0]?.sent).toMatchObject({
    headers: '{"Authorization":"Bearer ${secret:authorization}"}',
    query: '{"token":"${secret:token}"}',
  });
  const written = await Promise.all(
    (await readdir(folder.path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async (entry) =>
        (await readFile(join(entry.parentPath, entry.name))).toString('latin1'),
      ),
  );
  for (const text of [stdout, stderr, ...written]) expect(text).not.toContain(credential);

  await writeFile(
    at('leaky.yaml'),
    JSON.stringify({
      version: 1,
      suite: 's.suite.json',
      tools: 'tools.json',
      models: [
        {
          provider: 'openai-compatible',
          model: 'm',
          base_url: server.origin,
          headers: { 'x-api-key': credential },
        },
      ],
    }),
  );
  const refused = await runCommand(['check', '--config', at('leaky.yaml')], {
    workspace: at('secret'),
  });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('${env:NAME}') });
  expect(refused.stderr).toContain('The header x-api-key of openai-compatible holds a credential');
  expect(refused.stderr).not.toContain(credential);
});

it('reads references from the environment, and names one without a value', async () => {
  const ask = () => evaluate('env', 's.suite.json', '--header', 'api-key: ${env:OWN_GATEWAY_KEY}');
  const missing = await ask();
  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain('Set OWN_GATEWAY_KEY in the environment');
  vi.stubEnv('OWN_GATEWAY_KEY', credential);
  expect((await ask()).code).toBe(0);
  expect(server.requests.at(-1)?.headers['api-key']).toBe(credential);
});

it.each([
  ['--header', 'no colon', "--header: It needs the form 'Name: value'"],
  ['--query', 'novalue', "--query: It needs the form 'name=value'"],
  ['--body', 'a={broken', "--body: It needs the form 'key=JSON'"],
  ['--body', 'messages=[]', 'messages is decided by'],
])('refuses %s %s', async (option, value, message) => {
  const { code, stderr } = await evaluate('bad', 's.suite.json', option, value);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
