import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { createServices, type OpenServices } from '../../createServices.ts';
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

describe('token counts measured by a provider', () => {
  it('average requests that reported usage and offered all tools', async () => {
    const { tokens } = opened.services;
    const snapshotId = await evaluate(null);
    const before = await tokens.count({ source: { snapshotId }, encoding: 'o200k_base' });
    // Requests one and two: 201 and 202 tokens in; the third reported no usage.
    const measured = {
      format: 'openai-compatible · fake-model',
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
      (await tokens.count({ source: { snapshotId }, encoding: 'o200k_base' })).formats.filter(
        ({ basis }) => basis === 'measured',
      ),
    ).toEqual([measured]);
  });

  it("are the same for a snapshot and for the server's listing", async () => {
    const { tokens, evaluations } = opened.services;
    const [newest] = await evaluations.list({ limit: 1 });
    const frozen = await tokens.count({
      source: { snapshotId: newest?.snapshotId ?? '' },
      encoding: 'cl100k_base',
    });
    const listed = await tokens.count({ source: { servers: ['own'] }, encoding: 'cl100k_base' });
    expect(frozen.tools).toEqual(listed.tools);
    expect(listed.formats.some(({ basis }) => basis === 'measured')).toBe(false);
    await expect(
      tokens.count({ source: { snapshotId: 'none' }, encoding: 'cl100k_base' }),
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
      (await tokens.count({ source: { servers: ['own'] }, encoding: 'cl100k_base' })).total,
    );
    await expect(tokens.trend({ serverId: 'none', encoding: 'cl100k_base' })).rejects.toMatchObject(
      { code: 'NOT_FOUND' },
    );
  });
});
