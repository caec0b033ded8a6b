import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeModelServer } from '../src-main/testing/fakeModelServer/start.ts';
import { commandJson, evaluate, fakeServerCommand, storeTasks } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { type LaunchedHost, launchLoopback } from './launchLoopback.ts';
import { layoutFaults } from './layout.ts';
import { copySample, sampleEvaluation } from './sampleWorkspace.ts';
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
 * workspace full of long text, in each run; here, the pages of results, which have the most content,
 * stand for the others in between.
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
          checks: [{ answer: { $contains: 'tasks' } }, { calls: { must: ['list_tasks'] } }],
        },
      ],
    })),
  });
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

for (const area of areas) {
  test(
    `expectation 20: no page has a flaw in its layout or scrolls sideways at a zoom of 200%: ${area}`,
    { tag: area === 'evaluations' ? [] : '@nightly' },
    async ({ window }) => {
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
    },
  );
}

test('no page of an empty workspace has a flaw in its layout', async ({ chromium }) => {
  test.setTimeout(120_000);
  const workspace = join(folder, 'empty');
  await mkdir(workspace);
  await copySample(workspace);
  const host = await launchLoopback({ workspace });
  const page = await chromium.newPage({ reducedMotion: 'reduce' });
  try {
    await page.goto(host.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
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
      ...['suites', 'suites/import', 'suites/sessions', 'suites/sessions?capture'],
      ...['results', 'results/new', 'results/numbers', 'workshop', 'workshop/executions'],
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

test(
  'no page of a full workspace has a flaw in its layout',
  { tag: '@nightly' },
  async ({ chromium }) => {
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
  },
);

test(
  'no page of much that clients and models did has a flaw in its layout',
  { tag: '@nightly' },
  async ({ chromium }) => {
    test.setTimeout(240_000);
    const host = await launchLoopback();
    const page = await chromium.newPage({ reducedMotion: 'reduce' });
    const model = await startFakeModelServer({
      rule: ({ toolNames, results }) =>
        results.length > 0
          ? { does: 'answer', text: 'It is done.' }
          : { does: 'answer', calls: [{ name: toolNames[0] ?? '', arguments: { value: 'x' } }] },
    });
    try {
      const { result, server, busy, idle } = await fillRecorded(host, model.origin);
      await page.goto(await host.newUrl());
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const path of [
        ...['suites/sessions', `suites/sessions?of=${encodeURIComponent(busy)}`],
        ...[`suites/sessions?of=${encodeURIComponent(idle)}`, 'suites/sessions?of=nowhere.jsonl'],
        ...[`servers/${server}?tab=connection`, `results/${result}`, `results/${result}/estimate`],
        `results/${result}?tab=numbers`,
      ]) {
        await visit(page, path);
        expect.soft(await layoutFaults(page), path).toEqual([]);
      }
      await expect(page.getByRole('grid', { name: 'Tasks and checks' })).toBeVisible();
      await page.getByText('Tag', { exact: true }).click();
      expect
        .soft((await layoutFaults(page)).filter((fault) => !/scrolled down/u.test(fault)))
        .toEqual([]);
      await visit(page, `results/${result}`);
      // Two servers have a tool of this name.
      await expect(page.getByTitle('mail-and-calendar:tool_1').first()).toHaveText(
        'mail-and-calendar:tool_1',
      );
    } finally {
      await page.close();
      await model[Symbol.asyncDispose]();
      await host.close();
    }
  },
);

/** Two servers with tools of the same names, tasks of both with two models, and many sessions. */
async function fillRecorded(host: LaunchedHost, origin: string) {
  const own = join(folder, 'recorded');
  const sessions = join(host.workspace, 'sessions');
  await mkdir(own);
  await mkdir(sessions);
  const servers = ['mail-and-calendar', 'customer-relationship-management-of-a-large-firm'];
  const long = 'update_customer_relationship_management_record_with_everything';
  const names = ['tool_0', 'tool_1', long];
  for (const server of servers) {
    const file = join(own, `${server}.json`);
    const tools = names.map((name) => ({
      name,
      description: 'Does it.',
      inputSchema: { type: 'object' },
    }));
    await writeFile(file, JSON.stringify({ tools }));
    const command = fakeServerCommand('normal', '--tools', file);
    await host.command(['servers', 'add', '--list-tools', server, '--stdio', command]);
  }
  const file = join(own, 'tasks.suite.json');
  const cases = Array.from({ length: 6 }, (_, at) => ({
    id: `task-${at}`,
    name: `Number ${at}, which is a task whose name takes more than one line in a list of failures`,
    turns: [`Do number ${at}.`],
    tags: [`tag-${at % 3}`],
    servers: [servers[at % 2]],
    checks: [{ id: 'calls-what-is-needed', calls: { must: [at === 2 ? long : 'tool_1'] } }],
  }));
  await writeFile(file, JSON.stringify({ version: 1, name: 'recorded', servers, cases }));
  const { evaluation_id: result } = await commandJson<{ evaluation_id: string }>(
    host,
    ...['eval', '--suite', file, '--only', 'tasks', '--execute', 'full', '--yes', '--quiet'],
    ...['--provider', 'openai-compatible', '--base-url', `${origin}/v1`, '--model', 'one', 'two'],
  );
  const files = Array.from({ length: 300 }, (_, at) => join(sessions, `session-${at}.jsonl`));
  for (const [at, path] of files.entries())
    await writeFile(path, sessionText(servers[at % 2] ?? '', names[at % 3] ?? '', at));
  const listed = await commandJson<{ servers: { id: string; name: string }[] }>(
    host,
    ...['servers', 'list'],
  );
  return {
    result,
    server: listed.servers.find(({ name }) => name === servers[1])?.id ?? '',
    busy: files[40] ?? '',
    idle: files[0] ?? '',
  };
}

/** A captured session with a number of calls. */
function sessionText(server: string, tool: string, calls: number): string {
  const message = { jsonrpc: '2.0' };
  const line = (ms: number, from: string, more: object) => ({
    ...{ ms, from, message: { ...message, ...more } },
  });
  return [
    {
      ...{ format: 'touchstone-session', version: 1, server, mode: 'full' },
      ...{ startedAt: new Date(0).toISOString(), overrides: [], masked: true },
    },
    ...Array.from({ length: calls }, (_, id) => [
      line(id * 10, 'client', {
        id,
        method: 'tools/call',
        params: { name: tool, arguments: { value: `${'word '.repeat(id % 9)}${id}` } },
      }),
      line(id * 10 + 5, 'server', { id, result: { content: [] } }),
    ]).flat(),
  ]
    .map((one) => JSON.stringify(one))
    .join('\n');
}

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
