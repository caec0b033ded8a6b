import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandJson, evaluate, fakeServerCommand, storeTasks } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { type LaunchedHost, launchLoopback } from './launchLoopback.ts';
import { layoutFaults } from './layout.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';
import {
  areas,
  closeDialogs,
  completeIds,
  type Ids,
  noIds,
  openScreen,
  screensOf,
} from './screens.ts';
import { saveElsewhere } from './workshopHelpers.ts';

/**
 * The layout of every page, with scrollbars that take room. hostileText.spec.ts measures the same in a
 * workspace full of long text.
 */
const ids: Ids = noIds();
let folder = '';
test.beforeAll(async ({ host }) => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-layout-'));
  const { id, suiteId } = sampleEvaluation();
  const other = await evaluate(host, 'todo-sample');
  const { servers } = await commandJson<{ servers: { id: string; name: string }[] }>(
    host,
    ...['servers', 'list'],
  );
  await saveElsewhere(host, {
    name: 'count_words',
    description: 'Counts the words of a text.',
    executor_config: { command: 'true', annotations: { destructiveHint: true } },
  });
  Object.assign(ids, {
    server: servers.find(({ name }) => name === 'todo')?.id ?? '',
    tool: 'add_task',
    suite: suiteId,
    evaluation: id,
    other: other.evaluation_id,
    ...(await storeTasks(host, join(folder, 'tasks.suite.json'), {
      version: 1,
      name: 'errands',
      servers: ['todo'],
      cases: [
        {
          id: 'list',
          name: 'List the tasks',
          turns: ['Show me my tasks.'],
          checks: [{ answer: { $contains: 'tasks' } }],
        },
      ],
    })),
  });
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

for (const area of areas) {
  test(`expectation 20: no page has a flaw in its layout or scrolls sideways at a zoom of 200%: ${area}`, async ({
    window,
  }) => {
    test.setTimeout(150_000);
    await completeIds(window, ids);
    for (const screen of screensOf(ids)[area]) {
      if (screen.name === 'task-result-live') continue;
      await test.step(screen.name, async () => {
        await openScreen(window, screen);
        expect.soft(await layoutFaults(window), screen.name).toEqual([]);
        await closeDialogs(window);
      });
    }
  });
}

test('no page of an empty workspace has a flaw in its layout', async ({ chromium }) => {
  test.setTimeout(120_000);
  const host = await launchLoopback();
  const page = await chromium.newPage({ reducedMotion: 'reduce' });
  try {
    await page.goto(host.url);
    await expect(page.getByRole('heading', { name: /cases passed$/ })).toBeVisible({
      timeout: 30_000,
    });
    await visit(page, 'settings');
    await page.getByRole('button', { name: 'Remove sample data' }).click();
    await expect(page.getByRole('button', { name: 'Add sample data' })).toBeVisible();
    for (const path of [
      ...[
        '',
        'tools',
        'tools/similar',
        'tools/tokens',
        'tools/signals',
        'tools/clients',
        'tools?quality',
        'tools?ratings',
      ],
      ...['suites', 'results', 'results/new', 'results/numbers', 'workshop', 'workshop/executions'],
      ...['labs/retrieval', 'labs/detectors', 'labs/accuracy-vs-tokens', 'settings'],
    ]) {
      await visit(page, path);
      expect.soft(await layoutFaults(page), path).toEqual([]);
    }
  } finally {
    await page.close();
    await host.close();
  }
});

test('no page of a full workspace has a flaw in its layout', async ({ chromium }) => {
  test.setTimeout(180_000);
  const host = await launchLoopback();
  const page = await chromium.newPage({ reducedMotion: 'reduce' });
  try {
    const { suite, result, other } = await fill(host);
    await page.goto(await host.newUrl());
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const path of [
      ...['', 'tools', 'tools/similar', 'tools/tokens', 'tools/signals', 'tools/clients'],
      'tools/server-0/tool_0',
      ...['tools?add', 'suites', `suites/${suite}`, `results/new?suite=${suite}`, 'results'],
      ...['failures', 'runs', 'numbers'].map((tab) => `results/${result}?tab=${tab}`),
      ...[`results/${result}?compare=${other}`, `tools/server-0/tool_0/edit?result=${result}`],
      ...['results/numbers', 'labs/retrieval', 'workshop'],
    ]) {
      await visit(page, path);
      expect.soft(await layoutFaults(page), path).toEqual([]);
    }
  } finally {
    await page.close();
    await host.close();
  }
});

/** Eight servers of 20 tools each, and two results of a suite of 160 cases. */
async function fill(host: LaunchedHost): Promise<{ suite: string; result: string; other: string }> {
  const own = join(folder, 'full');
  await mkdir(own);
  const servers = Array.from({ length: 8 }, (_, at) => `server-${at}`);
  const numbers = Array.from({ length: 20 }, (_, at) => at);
  for (const [at, server] of servers.entries()) {
    const file = join(own, `${server}.json`);
    const tools = numbers.map((number) => ({
      name: `tool_${number}`,
      title: `Tool ${number} of ${server}`,
      description: `Does number ${number} of ${server} with what it is given. `.repeat(1 + number),
      inputSchema: {
        type: 'object',
        properties: { [`value_${at}`]: { type: 'string', description: 'What it is given.' } },
      },
    }));
    await writeFile(file, JSON.stringify({ tools }));
    const command = fakeServerCommand('normal', '--tools', file);
    await host.command(['servers', 'add', '--list-tools', server, '--stdio', command]);
  }
  const file = join(own, 'full.suite.json');
  const cases = servers.flatMap((server) =>
    numbers.map((number) => ({
      id: `${server}-${number}`,
      name: `Number ${number} of ${server}`,
      query: `Do number ${(number * 7) % 20} of ${server} with a value that takes a while to say`,
      tags: [server, number % 2 === 0 ? 'even' : 'odd'],
      expected_calls: [{ server, tool: `tool_${number}` }],
    })),
  );
  await writeFile(file, JSON.stringify({ version: 1, name: 'full', servers, cases }));
  const { id: suite } = await commandJson<{ id: string }>(host, 'suite', 'import', file);
  const { evaluation_id: other } = await evaluate(host, 'full');
  const { evaluation_id: result } = await evaluate(host, 'full', '--repetitions', '2');
  return { suite, result, other };
}
