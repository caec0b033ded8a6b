import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { builtinModelName } from '../../../src-shared/domain/provider.ts';
import { whatIfChange } from '../../../src-shared/domain/whatIf.ts';
import { createServices, type OpenServices } from '../../app/createServices.ts';
import { createSecrets } from '../../adapters/secrets/secrets.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';

const options = { signal: new AbortController().signal };
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const all = [
  { name: 'add_task', description: 'Adds a task.', inputSchema },
  { name: 'delete_task', description: 'Deletes a task for good.', inputSchema },
];

let folder: TemporaryFolder;
let opened: OpenServices;
let model: FakeModelServer;
let toolsFile: string;
let serverId: string;
let suiteId: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  toolsFile = join(folder.path, 'tools.json');
  // Each request reports 100 tokens per tool plus its number; the third reports no usage.
  let requests = 0;
  model = await startFakeModelServer({
    rule: ({ toolNames }) => {
      requests += 1;
      return {
        does: 'answer',
        text: 'No tool.',
        usage: requests === 3 ? null : { input: 100 * toolNames.length + requests, output: 1 },
      };
    },
  });
  opened = await createServices({
    host: 'cli',
    folder: join(folder.path, 'workspace'),
    secrets: createSecrets({ memory: new Map(), environment: {} }),
  });
  await publish(...all);
  serverId = (
    await opened.services.servers.create({
      name: 'own',
      config: fakeStdioServer('normal', { tools: toolsFile }),
    })
  ).id;
  await opened.services.servers.refreshTools({ id: serverId }, options);
  const cases = ['one', 'two', 'three'].map((query) => ({
    id: query,
    name: query,
    query,
    expected_calls: [],
  }));
  suiteId = (
    await opened.services.suites.import(
      {
        fileName: 's.suite.json',
        text: JSON.stringify({ version: 1, name: 's', servers: ['own'], cases }),
        replace: false,
      },
      options,
    )
  ).id;
});
afterAll(async () => {
  await opened.close();
  await model[Symbol.asyncDispose]();
  await folder.remove();
});

const publish = (...tools: typeof all) => writeFile(toolsFile, JSON.stringify({ tools }));

async function evaluate(topK: number | null): Promise<string> {
  const { evaluations } = opened.services;
  const { id } = await evaluations.start(
    evaluationSettings.parse({
      suiteId,
      models: [
        { provider: 'openai-compatible', model: 'fake-model', baseUrl: `${model.origin}/v1` },
      ],
      concurrency: 1,
      topK,
    }),
  );
  for await (const event of evaluations.watch({ id, afterSeq: 0 }, options))
    if (event.type === 'ended') return (await evaluations.get({ id })).snapshotId ?? '';
  throw new Error('The evaluation did not end.');
}

it('find_tool leaves servers that cannot be reached out of its baseline, and names them', async () => {
  const { servers, tokens } = opened.services;
  const find = async () =>
    tokens.findTool({
      source: { servers: null },
      description: 'delete a task',
      keywords: '',
      retriever: 'default',
      k: 1,
      encoding: 'cl100k_base',
    });
  const before = await find();
  expect(before.excluded).toEqual([]);
  const { id } = await servers.create({
    name: 'away',
    config: { ...fakeStdioServer('normal', { tools: toolsFile }), env: { SECOND: 'yes' } },
  });
  await servers.refreshTools({ id }, options);
  const both = await find();
  expect(both.tokenMetrics.baselineTokens).toBe(2 * before.tokenMetrics.baselineTokens);
  await servers.update({ id, name: 'away', config: fakeStdioServer('exit-at-start') });
  await servers.check({ id });
  const after = await find();
  expect(after.tokenMetrics).toEqual(before.tokenMetrics);
  expect(after.excluded).toEqual([
    { server: 'away', reason: expect.stringContaining('exit code 3') },
  ]);
  await servers.remove({ id });
});

describe('token counts measured by a provider', () => {
  it('average requests that reported usage and offered all tools', async () => {
    const { tokens } = opened.services;
    const snapshotId = await evaluate(null);
    const before = await tokens.count({
      source: { snapshotId },
      encoding: 'o200k_base',
      model: null,
    });
    // Requests one and two: 201 and 202 tokens in; the third reported no usage.
    const measured = {
      format: 'openai-compatible · fake-model',
      wireApi: null,
      basis: 'measured',
      tokenCount: 201.5,
      requests: 2,
      note: expect.stringContaining('prompt and tools') as string,
    };
    expect(before.formats.filter(({ basis }) => basis === 'measured')).toEqual([measured]);
    expect(
      before.formats
        .filter(({ basis }) => basis === 'estimated')
        .every(({ requests }) => requests === null),
    ).toBe(true);
    expect(await evaluate(1)).toBe(snapshotId);
    expect(
      (
        await tokens.count({ source: { snapshotId }, encoding: 'o200k_base', model: null })
      ).formats.filter(({ basis }) => basis === 'measured'),
    ).toEqual([measured]);
  });

  it("are the same for a snapshot and for the server's listing", async () => {
    const { tokens, evaluations } = opened.services;
    const [newest] = await evaluations.list({ limit: 1 });
    const frozen = await tokens.count({
      source: { snapshotId: newest?.snapshotId ?? '' },
      encoding: 'cl100k_base',
      model: null,
    });
    const listed = await tokens.count({
      source: { servers: ['own'] },
      encoding: 'cl100k_base',
      model: null,
    });
    expect(frozen.tools).toEqual(listed.tools);
    expect(listed.formats.some(({ basis }) => basis === 'measured')).toBe(false);
    await expect(
      tokens.count({ source: { snapshotId: 'none' }, encoding: 'cl100k_base', model: null }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the token trend of a server', () => {
  it('has a point for each listing and names added, removed and changed tools', async () => {
    const { tokens, servers } = opened.services;
    const [add, remove] = all;
    if (!add || !remove) throw new Error('no tools');
    await publish(
      { ...add, description: 'Adds a task to the list of the user.' },
      { name: 'list_tasks', description: 'Lists tasks.', inputSchema },
    );
    await servers.refreshTools({ id: serverId }, options);
    const points = await tokens.trend({ serverId, encoding: 'cl100k_base' });
    expect(points.map(({ tools }) => tools)).toEqual([2, 2]);
    expect(points[0]).toMatchObject({ added: [], removed: [], changed: [] });
    expect(points[1]).toMatchObject({
      added: ['list_tasks'],
      removed: ['delete_task'],
      changed: ['add_task'],
    });
    expect(points[1]?.tokenCount).toBe(
      (await tokens.count({ source: { servers: ['own'] }, encoding: 'cl100k_base', model: null }))
        .total,
    );
    await expect(tokens.trend({ serverId: 'none', encoding: 'cl100k_base' })).rejects.toMatchObject(
      { code: 'NOT_FOUND' },
    );
  });
});

describe('token counts for a model', () => {
  it('sum to the count of its wire format, with the known price', async () => {
    const { tokens } = opened.services;
    const input = { source: { servers: ['own'] }, encoding: 'cl100k_base' as const };
    const listed = await tokens.count({ ...input, model: null });
    const gpt = await tokens.count({ ...input, model: { provider: 'openai', model: 'gpt-5' } });
    expect(gpt.encoding).toBe('o200k_base');
    expect(gpt.model).toMatchObject({ format: 'OpenAI Responses', price: { inputUsd: 1.25 } });
    expect(gpt.total).toBe(
      listed.formats.find(({ wireApi }) => wireApi === 'openai-responses')?.tokenCount,
    );
    for (const { tokenCount, parts } of gpt.tools)
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokenCount);
    expect(gpt.tools.every(({ parts }) => parts.outputSchema === 0)).toBe(true);
    expect(gpt.tools.every(({ parts }) => parts.inputSchema > 0 && parts.description > 0)).toBe(
      true,
    );
  });

  it('have no price where none is known', async () => {
    const report = await opened.services.tokens.count({
      source: { servers: ['own'] },
      encoding: 'cl100k_base',
      model: { provider: 'openai-compatible', model: 'llama3.1' },
    });
    expect(report.model).toMatchObject({ format: 'OpenAI Chat Completions', price: null });
  });
});

describe('the use of tools', () => {
  it('names offered tools that no case expects or allows and no run called', async () => {
    const { tokens, suites } = opened.services;
    // Nothing expects a tool yet, and the fake model called none.
    expect(await tokens.toolUse()).toEqual({
      cases: 3,
      evaluations: 2,
      neverUsed: ['own:add_task', 'own:delete_task'],
    });
    const cases = [
      { id: 'a', name: 'a', query: 'a', expected_calls: [{ server: 'own', tool: 'add_task' }] },
      {
        id: 'b',
        name: 'b',
        query: 'b',
        expected_calls: [
          {
            any_of: [
              { server: 'own', tool: 'delete_task' },
              { server: 'own', tool: 'drop_task' },
            ],
          },
        ],
      },
    ];
    await suites.import(
      {
        fileName: 't.suite.json',
        text: JSON.stringify({ version: 1, name: 't', servers: ['own'], cases }),
        replace: false,
      },
      options,
    );
    expect(await tokens.toolUse()).toMatchObject({ cases: 5, neverUsed: [] });
  });

  it('counts a call of any run as use', async () => {
    const { tokens, suites } = opened.services;
    const added = (await suites.list()).find(({ name }) => name === 't');
    await suites.remove({ id: added?.id ?? '' });
    expect((await tokens.toolUse()).neverUsed).toContain('own:add_task');
    const wireName = model.requests.at(-1)?.toolNames.find((name) => name.endsWith('add_task'));
    model.script({ does: 'answer', calls: [{ name: wireName ?? '', arguments: {} }] });
    await evaluate(null);
    const { neverUsed } = await tokens.toolUse();
    expect(neverUsed).not.toContain('own:add_task');
    expect(neverUsed).toContain('own:delete_task');
  });
});

describe('trying all cuts', () => {
  it('names the changes that an evaluation of the built-in selector is repeated with', async () => {
    const { tokens, servers, evaluations } = opened.services;
    const long = 'Adds a task to the list. '.repeat(60);
    await publish(
      { name: 'add_task', description: long, inputSchema },
      { name: 'keep_task', description: 'Keeps a task.', inputSchema },
    );
    await servers.refreshTools({ id: serverId }, options);
    const request = {
      source: { servers: ['own'] },
      encoding: 'cl100k_base' as const,
      model: null,
    };
    // Evaluations of other models cost money, so no what-if repeats them.
    expect((await tokens.tryCuts(request)).base).toBeNull();

    const { id, number } = await evaluations.start(
      evaluationSettings.parse({
        suiteId,
        models: [{ provider: 'builtin', model: builtinModelName }],
      }),
    );
    for await (const event of evaluations.watch({ id, afterSeq: 0 }, options))
      if (event.type === 'ended') break;
    const report = await tokens.count(request);
    const { neverUsed } = await tokens.toolUse();
    const trial = await tokens.tryCuts(request);
    expect(trial.before).toBe(report.total);
    expect(trial.base).toMatchObject({ id, number, suiteName: 's' });
    expect(neverUsed).toContain('own:keep_task');
    expect(trial.changes).toContainEqual({ kind: 'remove_tool', toolId: 'own:keep_task' });
    const shortened = trial.changes.find((change) => change.kind === 'override');
    expect(shortened).toMatchObject({ toolId: 'own:add_task' });
    const description = shortened?.kind === 'override' ? (shortened.description ?? '') : '';
    expect(long.startsWith(description)).toBe(true);
    expect(description.endsWith('.')).toBe(true);

    // What the trial says is what the shortened tool counts.
    await publish({ name: 'add_task', description, inputSchema });
    await servers.refreshTools({ id: serverId }, options);
    const after = await tokens.count(request);
    expect(after.tools[0]?.parts.description).toBeLessThanOrEqual(100);
    expect(after.total).toBe(trial.after);

    const repeated = await evaluations.whatIf({
      id,
      modelSettingsId: trial.base?.modelSettingsId ?? null,
      changes: trial.changes.map((change) => whatIfChange.parse(change)),
    });
    for await (const event of evaluations.watch({ id: repeated.id, afterSeq: 0 }, options))
      if (event.type === 'ended') break;
    expect((await evaluations.get({ id: repeated.id })).state).toBe('completed');
  });
});
