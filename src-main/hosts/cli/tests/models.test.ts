import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const key = 'sk-canary-cli-0123456789';
let folder: TemporaryFolder;
let server: FakeModelServer;
const files = { suite: '', tools: '' };
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    models: ['small', 'large'],
    rule: (request) =>
      request.body['model'] === 'shy' ? { does: 'answer', text: 'No.' } : callWhatIsNamed(request),
  });
  files.suite = join(folder.path, 'two.suite.json');
  files.tools = join(folder.path, 'tools.json');
  await writeFile(
    files.suite,
    JSON.stringify({
      version: 1,
      name: 'two',
      servers: ['s'],
      cases: [
        { id: 'a', name: 'a', query: 'please add', expected_calls: [{ server: 's', tool: 'add' }] },
        { id: 'b', name: 'b', query: 'hello', expected_calls: [] },
      ],
    }),
  );
  await writeFile(
    files.tools,
    JSON.stringify({
      tools: [{ server: 's', name: 'add', description: 'Adds.', input_schema: { type: 'object' } }],
    }),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});
const run = (args: string[], input = '') =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    input,
    env: { OPENAI_API_KEY: '', OPENAI_COMPATIBLE_API_KEY: '' },
  });
const endpoint = () => ['--provider', 'openai-compatible', '--base-url', `${server.origin}/v1`];

describe('keys and models on the command line', () => {
  it('T61: refuses to set a key without a keychain, names the variable and prints no key', async () => {
    const { code, stdout, stderr } = await run(['keys', 'set', 'openai', '--json'], `${key}\n`);
    expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({
      code: 3,
      answer: { provider: 'openai', status: 'not set', place: null },
    });
    expect(stderr).toContain('OPENAI_API_KEY');
    expect(stdout + stderr).not.toContain(key);
    const bad = await run(['keys', 'set', 'openai'], 'two words\n');
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect(bad.stderr).not.toContain('two words');
    expect(JSON.parse((await run(['keys', 'list', '--json'])).stdout)).toMatchObject({
      keys: [{ provider: 'openai', status: 'not set' }, {}, {}],
      keychain: { available: false },
    });
  });

  it('estimates and evaluates several models, and an estimate sends no chat request', async () => {
    const args = [
      'eval',
      '--suite',
      files.suite,
      '--tools',
      files.tools,
      ...endpoint(),
      '--model',
      'large',
      'shy',
      '--json',
    ];
    const before = server.requests.length;
    const estimate = JSON.parse((await run([...args, '--estimate'])).stdout) as {
      models: { input_tokens: number; cost_usd: number | null }[];
      cost_usd: number | null;
    };
    expect(server.requests).toHaveLength(before);
    expect(estimate).toMatchObject({
      models: [
        { label: 'openai-compatible · large', tools: 1, token_source: 'estimated', cost_usd: null },
        {},
      ],
      cost_usd: null,
    });
    expect(estimate.models[0]?.input_tokens).toBeGreaterThan(20);
    const counted = JSON.parse(
      (await run([...args, '--api', 'responses', '--estimate', '--count'])).stdout,
    ) as typeof estimate;
    expect(counted).toMatchObject({
      models: [{ token_source: 'counted' }, { token_source: 'counted' }],
    });
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual([
      '/v1/responses/input_tokens',
      '/v1/responses/input_tokens',
    ]);
    expect(await run([...args, '--count'])).toMatchObject({ code: 2, stdout: '' });
    const { stdout } = await run([
      ...args,
      '--reasoning-effort',
      'low',
      '--shuffle-tools',
      '--seed',
      '3',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { total: 4 },
      models: [
        { counts: { tp: 1, tn: 1 }, tokens: { source: 'measured' }, cost_usd: null },
        { counts: { fn: 1, tn: 1 } },
      ],
      token_source: 'measured',
    });
    expect(server.requests.at(-1)?.body).toMatchObject({ reasoning_effort: 'low' });
  });

  it('lists an endpoint’s models, fails the probe of one without calls and keeps a price', async () => {
    expect(
      JSON.parse((await run(['models', 'list', ...endpoint(), '--json'])).stdout),
    ).toMatchObject({ models: ['large', 'small'] });
    const shy = await run(['models', 'probe', ...endpoint(), '--model', 'shy', '--json']);
    expect({ code: shy.code, answer: JSON.parse(shy.stdout) as unknown }).toMatchObject({
      code: 1,
      answer: { calls: false, says: expect.stringContaining('No.') },
    });
    const prices = await run([
      'models',
      'prices',
      '--set',
      'openai-compatible:large=1,2',
      '--json',
    ]);
    expect(JSON.parse(prices.stdout)).toMatchObject({
      prices: expect.arrayContaining([
        expect.objectContaining({ model: 'large', input_usd: 1, output_usd: 2, source: 'own' }),
      ]),
    });
  });

  it('sets prices of cached input, and refuses what is not a list of prices', async () => {
    const set = (price: string) => run(['models', 'prices', '--set', price, '--json']);
    const listed = JSON.parse((await set('anthropic:claude-x=3,15,0.3,3.75')).stdout) as unknown;
    expect(listed).toMatchObject({
      prices: expect.arrayContaining([
        expect.objectContaining({ model: 'claude-x', cache_read_usd: 0.3, cache_write_usd: 3.75 }),
        expect.objectContaining({ model: 'gpt-5', cache_read_usd: 0.125, cache_write_usd: null }),
      ]),
    });
    for (const wrong of ['openai:x=1', 'openai:x=1,2,3,4,5', 'openai:x=1,2,', 'openai:x=1,2,-3'])
      expect((await set(wrong)).code).toBe(2);
  });
});
