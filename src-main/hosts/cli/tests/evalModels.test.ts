import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import { evaluationRequest } from '../../../../src-shared/domain/evaluation.ts';
import { createServices } from '../../../app/createServices.ts';
import { keysFileName, SecretFile } from '../../../adapters/secrets/secretFile.ts';
import { writeDurably } from '../../../store/durability/durableFile.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { testKey } from '../../../testing/fakeModelServer/openTestModel.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let server: FakeModelServer;
const files = { suite: '', tools: '' };
const title = { type: 'object', properties: { title: { type: 'string' } } };

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({ key: testKey });
  files.suite = join(folder.path, 'models.suite.json');
  files.tools = join(folder.path, 'tools.json');
  const cases = [
    {
      id: 'a',
      name: 'a',
      query: 'please add_task',
      expected_calls: [{ server: 's', tool: 'add.task' }],
    },
    {
      id: 'b',
      name: 'b',
      query: 'please delete_task',
      expected_calls: [{ server: 's', tool: 'delete_task' }],
    },
    { id: 'c', name: 'c', query: 'what is a task?', expected_calls: [] },
    { id: 'd', name: 'd', query: 'say it', expected_calls: [{ server: 's', tool: 'say' }] },
  ];
  await writeFile(
    files.suite,
    JSON.stringify({ version: 1, name: 'models', servers: ['s'], cases }),
  );
  const tool = (name: string, schema: object) => ({
    server: 's',
    name,
    description: name,
    input_schema: schema,
  });
  await writeFile(
    files.tools,
    JSON.stringify({
      tools: [
        tool('add.task', { ...title, anyOf: [{ required: ['title'] }, {}] }),
        tool('delete_task', title),
        tool('say', { type: 'string' }),
      ],
    }),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

afterEach(() => vi.unstubAllEnvs());

it('a program answers in place of a model, and is required', async () => {
  const program = join(folder.path, 'silent.mjs');
  const answer = { choices: [{ finish_reason: 'stop', message: { content: 'No tool.' } }] };
  await writeFile(
    program,
    `process.stdin.resume().on('end', () => console.log(${JSON.stringify(JSON.stringify(answer))}));`,
  );
  const args = ['eval', '--suite', files.suite, '--tools', files.tools, '--provider', 'command'];
  const workspace = join(folder.path, 'program');
  const asked = await runCommand(
    [
      ...args,
      '--model',
      'silent',
      '--command',
      `"${process.execPath}" "${program}"`,
      '--allow-failed',
      '1',
      '--json',
    ],
    { workspace },
  );
  const { counts, provider, model } = JSON.parse(asked.stdout) as Record<string, unknown>;
  expect([asked.code, provider, model], asked.stderr).toEqual([0, 'command', 'silent']);
  expect(counts).toMatchObject({ tp: 0, fp: 0, failed: 1 });
  // What it was sent otherwise than the tools file says, in the answer and as lines.
  const sentTools = {
    published: 3,
    offered: 2,
    left_out: [{ tool_id: 's:say', reason: expect.stringContaining('string') }],
    adapted: [
      {
        tool_id: 's:add.task',
        changes: ['#: anyOf folded at the top'],
      },
    ],
    renamed: [{ tool_id: 's:add.task', name: 's__add_task' }],
    unreadable: [],
  };
  expect(JSON.parse(asked.stdout)).toMatchObject({ sent_tools: [sentTools] });
  expect(asked.stderr).toContain(
    '2 of 3 tools offered; 1 with an adapted schema, 1 under another name.',
  );
  expect(asked.stderr).toContain('  s:say: left out (');
  const paid = ['--provider', 'openai', '--model', 'gpt-4o', '--estimate'];
  const planned = ['eval', '--suite', files.suite, '--tools', files.tools, ...paid];
  const estimate = await runCommand([...planned, '--json'], { workspace });
  expect(JSON.parse(estimate.stdout)).toMatchObject({ models: [{ sent_tools: sentTools }] });
  expect((await runCommand(planned, { workspace })).stdout).toContain(
    '2 of 3 tools offered; 1 with an adapted schema, 1 under another name.',
  );
  const without = await runCommand([...args, '--model', 'silent'], { workspace });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--command LINE')]);
});

it('a relative path of a program in touchstone.yaml begins in the folder of that file', async () => {
  const project = join(folder.path, 'project');
  await mkdir(join(project, 'own'), { recursive: true });
  const answer = { choices: [{ finish_reason: 'stop', message: { content: 'No tool.' } }] };
  await writeFile(
    join(project, 'own', 'ask.mjs'),
    `process.stdin.resume().on('end', () => console.log(${JSON.stringify(JSON.stringify(answer))}));`,
  );
  await writeFile(
    join(project, 'touchstone.yaml'),
    stringify({
      version: 1,
      suite: '../models.suite.json',
      tools: '../tools.json',
      models: [
        { provider: 'command', model: 'own', command: `"${process.execPath}" ./own/ask.mjs` },
      ],
      allow_failed: 1,
    }),
  );
  const { code, stdout, stderr } = await runCommand(
    ['check', '--config', join(project, 'touchstone.yaml'), '--json'],
    { workspace: join(folder.path, 'program') },
  );
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ provider: 'command', counts: { tn: 1 } });
});

const evaluate = (provider: string, env: Record<string, string>, more: string[] = []) =>
  runCommand(
    [
      'eval',
      '--suite',
      files.suite,
      '--tools',
      files.tools,
      '--provider',
      provider,
      '--model',
      'fake-model',
      '--json',
      '--allow-failed',
      '1',
      ...more,
    ],
    { workspace: join(folder.path, 'workspace'), env },
  );

const filesOf = (provider: string, path: string): string[] => [
  'eval',
  '--suite',
  files.suite,
  '--tools',
  files.tools,
  '--provider',
  provider,
  '--model',
  'fake-model',
  '--base-url',
  `${server.origin}${path}`,
];

const providers = [
  ['openai', 'OPENAI_API_KEY', '/v1'],
  ['anthropic', 'ANTHROPIC_API_KEY', ''],
  ['openai-compatible', 'OPENAI_COMPATIBLE_API_KEY', '/v1'],
] as const;

describe('evaluations with models on the command line', () => {
  it('an evaluation of files alone costs what the workspace says, unless touchstone.yaml says more', async () => {
    const workspace = join(folder.path, 'priced');
    const own = { OPENAI_COMPATIBLE_API_KEY: testKey };
    const set = ['models', 'prices', '--set', 'openai-compatible:fake-model=1000,2000'];
    expect((await runCommand(set, { workspace })).code).toBe(0);
    const run = async (args: readonly string[], place = workspace) => {
      const { code, stdout, stderr } = await runCommand(
        [...args, '--allow-failed', '1', '--json'],
        { workspace: place, env: own },
      );
      expect(code, stderr).toBe(0);
      const { cost_usd: cost, tokens } = JSON.parse(stdout) as {
        cost_usd: number | null;
        tokens: { input: number; output: number };
      };
      return { cost, tokens, stderr };
    };
    const files = filesOf('openai-compatible', '/v1');
    const { cost, tokens } = await run(files);
    expect(tokens.input).toBeGreaterThan(0);
    expect(cost).toBeCloseTo((tokens.input * 1000 + tokens.output * 2000) / 1e6, 9);
    expect((await run(files, join(folder.path, 'nothing here'))).cost).toBeNull();

    const project = join(folder.path, 'prices.yaml');
    await writeFile(
      project,
      stringify({
        version: 1,
        suite: 'models.suite.json',
        tools: 'tools.json',
        models: [
          {
            provider: 'openai-compatible',
            model: 'fake-model',
            base_url: `${server.origin}/v1`,
          },
        ],
        prices: [
          { provider: 'openai-compatible', model: 'fake-model', input_usd: 10, output_usd: 0 },
        ],
      }),
    );
    const checked = await run(['check', '--config', project]);
    expect(checked.cost).toBeCloseTo((checked.tokens.input * 10) / 1e6, 9);

    // A workspace that can't be read costs the prices, not the evaluation.
    const broken = join(folder.path, 'broken');
    await mkdir(broken);
    await copyFile(project, join(broken, 'touchstone.sqlite'));
    const unread = await run(files, broken);
    expect(unread.cost).toBeNull();
    expect(unread.stderr).toMatch(
      /^The prices of the workspace are not used\. .*touchstone\.sqlite/m,
    );
  });

  it('takes what options leave out from the environment, and says so', async () => {
    const before = server.requests.length;
    const variables = {
      OPENAI_COMPATIBLE_API_KEY: testKey,
      OPENAI_BASE_URL: `${server.origin}/v1`,
      TOUCHSTONE_MODEL: 'fake-model',
      TOUCHSTONE_TEMPERATURE: '0.9',
      TOUCHSTONE_TIMEOUT: '60',
      TOUCHSTONE_RETRIES: '1',
    };
    const args = ['eval', '--suite', files.suite, '--tools', files.tools, '--allow-failed', '1'];
    const asked = [...args, '--provider', 'openai-compatible', '--temperature', '0.7'];
    const { code, stderr } = await runCommand(asked, {
      workspace: join(folder.path, 'environment'),
      env: variables,
    });
    expect(stderr).toContain(
      'From the environment: model fake-model (TOUCHSTONE_MODEL), timeout 60 s ' +
        '(TOUCHSTONE_TIMEOUT), retries 1 (TOUCHSTONE_RETRIES), base URL of compatible ' +
        `endpoints ${server.origin}/v1 (OPENAI_BASE_URL).`,
    );
    expect(code, stderr).toBe(0);
    expect(server.requests.length).toBeGreaterThan(before);
    expect(server.requests.at(-1)?.body).toMatchObject({ model: 'fake-model', temperature: 0.7 });

    // The address is for compatible endpoints only: no other key is sent there.
    const sent = server.requests.length;
    const local = await runCommand([...args, '--provider', 'builtin'], {
      workspace: join(folder.path, 'environment'),
      env: { ...variables, TOUCHSTONE_TIMEOUT: 'soon' },
    });
    expect([local.code, local.stderr]).toEqual([
      2,
      expect.stringContaining('TOUCHSTONE_TIMEOUT is "soon": It needs a whole number of seconds'),
    ]);
    expect(server.requests).toHaveLength(sent);
  });

  it('sends no stored key to an address that only the environment has', async () => {
    const workspace = join(folder.path, 'stored-key');
    const passphrase = 'a passphrase of a test';
    await mkdir(workspace);
    await new SecretFile({
      file: join(workspace, keysFileName),
      write: writeDurably,
    }).create(passphrase, new Map([['openai-compatible', testKey]]));
    const env = {
      TOUCHSTONE_KEYS_PASSPHRASE: passphrase,
      OPENAI_BASE_URL: `${server.origin}/v1`,
    };
    const before = server.requests.length;
    const model = ['--provider', 'openai-compatible', '--model', 'fake-model'];
    const given = ['--base-url', `${server.origin}/v1`];
    const evaluation = ['eval', '--suite', files.suite, '--tools', files.tools, ...model];
    for (const args of [evaluation, ['models', 'probe', ...model]]) {
      const { code, stderr } = await runCommand(args, { workspace, env });
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(`Give --base-url ${server.origin}/v1 to send it there`);
    }
    expect(server.requests).toHaveLength(before);

    const sent = await runCommand(['models', 'probe', ...model, ...given], { workspace, env });
    expect(sent.stderr).toBe('');
    expect(server.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${testKey}`);
  });

  it.each(providers)(
    'T46: asks %s with its key and does not score a case whose tool it cannot take',
    async (provider, variable, path) => {
      const before = server.requests.length;
      // The SDKs of the providers would take their address from here.
      vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
      vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
      const recording = join(folder.path, `${provider}.jsonl`);
      const { code, stdout, stderr } = await evaluate(provider, { [variable]: testKey }, [
        '--base-url',
        server.origin + path,
        '--record',
        recording,
      ]);
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('4/4 runs'),
      });
      expect(JSON.parse(stdout)).toMatchObject({
        provider,
        model: 'fake-model',
        counts: { tp: 2, tn: 1, fp: 0, fn: 0, failed: 1, total: 4 },
      });
      // The case whose tool can't be offered is never put to the model.
      expect(
        server.requests
          .slice(before)
          .map(({ query }) => query)
          .sort(),
      ).toEqual(['please add_task', 'please delete_task', 'what is a task?']);
      expect(server.requests.at(-1)?.toolNames).toHaveLength(2);
      expect(stdout + stderr + (await readFile(recording, 'utf8'))).not.toContain(testKey);
    },
  );

  it.each([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
  ])(
    'refuses to start %s without a key, names the variable and sends no request',
    async (provider, variable) => {
      const before = server.requests.length;
      const { code, stdout, stderr } = await evaluate(provider, { [variable]: '' }, [
        '--base-url',
        `${server.origin}/v1`,
      ]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(`Provider ${provider}: No API key is set. Set ${variable}`),
      );
      expect(server.requests).toHaveLength(before);
    },
  );

  it('T47: refuses credentials in an address and does not repeat them', async () => {
    const { code, stderr } = await evaluate('openai-compatible', {}, [
      '--base-url',
      'http://me:hunter2@127.0.0.1:9/v1',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('It contains credentials');
    expect(stderr).not.toContain('hunter2');
  });

  it('T45 T60: stops at a refused key, resumes the remaining cases only, and stores no key', async () => {
    let refusing = true;
    await using provider = await startFakeModelServer({
      rule: (request) => {
        if (refusing && provider.requests.length >= 7)
          return {
            does: 'error',
            status: 401,
            type: 'authentication_error',
            message: `Incorrect API key provided: ${testKey}.`,
          };
        return { ...callWhatIsNamed(request), text: `Your key is ${testKey}` } as ReturnType<
          typeof callWhatIsNamed
        >;
      },
    });
    vi.stubEnv('OPENAI_API_KEY', testKey);
    const workspace = join(folder.path, 'resumed');
    const opened = await createServices({ host: 'cli', folder: workspace });
    try {
      const { evaluations } = opened.services;
      const options = { signal: new AbortController().signal };
      const cases = Array.from({ length: 20 }, (_, index) => ({
        id: `c${index}`,
        name: `c${index}`,
        query: `add it, number ${index}`,
        expected_calls: [{ server: 's', tool: 'add' }],
      }));
      await opened.services.suites.import(
        {
          fileName: 'twenty.suite.json',
          text: JSON.stringify({ version: 1, name: 'twenty', servers: ['s'], cases }),
          replace: false,
        },
        options,
      );
      const [suite] = await opened.services.suites.list();
      const tool = {
        server: 's',
        name: 'add',
        title: null,
        description: 'Adds.',
        inputSchema: title,
        outputSchema: null,
        annotations: null,
      };
      const request = evaluationRequest.parse({
        suiteId: suite?.id,
        models: [{ provider: 'openai', model: 'fake-model', baseUrl: `${provider.origin}/v1` }],
        concurrency: 1,
        inline: { tools: [{ tool, raw: JSON.stringify(tool) }] },
      });
      const { id } = await evaluations.start(request);
      const drain = async (afterSeq: number) => {
        const events: EvaluationEvent[] = [];
        for await (const event of evaluations.watch({ id, afterSeq }, options)) events.push(event);
        return events;
      };
      const first = await drain(0);
      expect(first.at(-1)).toMatchObject({
        type: 'ended',
        state: 'incomplete',
        reason: expect.stringContaining('401'),
      });
      expect((await evaluations.summary({ id, modelSettingsId: null })).counts).toMatchObject({
        tp: 6,
        failed: 1,
        open: 13,
        total: 20,
      });
      expect(provider.requests).toHaveLength(7);
      refusing = false;
      await evaluations.resume({ id });
      expect((await drain(first.at(-1)?.seq ?? 0)).at(-1)).toMatchObject({
        type: 'ended',
        state: 'completed',
      });
      expect((await evaluations.summary({ id, modelSettingsId: null })).counts).toMatchObject({
        tp: 20,
        failed: 0,
        open: 0,
        total: 20,
      });
      expect(provider.requests).toHaveLength(7 + 14);
      expect(new Set(provider.requests.map(({ query }) => query)).size).toBe(20);
      const bytes = await readFilesOf(workspace);
      expect(bytes.includes('Your key is [redacted]')).toBe(true);
      expect(
        [testKey, encodeURIComponent(testKey), Buffer.from(testKey).toString('base64')].filter(
          (form) => bytes.includes(form),
        ),
      ).toEqual([]);
    } finally {
      await opened.close();
      vi.unstubAllEnvs();
    }
  });
});

/** Every byte under a folder. */
async function readFilesOf(path: string): Promise<Buffer> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name))),
    ),
  );
}
