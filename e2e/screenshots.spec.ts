import {
  commandJson,
  evaluate,
  fakeServerCommand,
  silentModel,
  startTasks,
  storeTasks,
} from './commands.ts';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import type { SeenRequest } from '../src-main/testing/fakeModelServer/react.ts';
import { expect, test } from './fixtures.ts';
import {
  areas,
  closeDialogs,
  completeIds,
  type Ids,
  noIds,
  type Screen,
  screensOf,
  openScreen,
} from './screens.ts';
import { saveElsewhere } from './workshopHelpers.ts';

/**
 * Takes screenshots of every screen and dialog in both themes at four sizes, for people to look at,
 * in a realistic workspace: six servers with 63 tools, and 59 cases. Asserts nothing. Runs only with
 * TOUCHSTONE_SCREENSHOTS=folder.
 */
const folderOfScreenshots = process.env['TOUCHSTONE_SCREENSHOTS'] ?? '';
const datasets = join(import.meta.dirname, '..', 'datasets');
const serverNames = ['repo', 'tracker', 'chat', 'notes', 'calendar', 'mailbox'];

interface Corpus {
  tools: { server: string; tool: string; description: string; schema: object }[];
}
interface Golden {
  queries: { id: string; query: string; labels: { tool_id: string; relevance: number }[] }[];
}

let folder = '';
let model: FakeModelServer;
const ids: Ids = noIds();

/** The offered tool that shares most words with the request; at every seventh turn the second. */
function nearestTool({ query, body }: SeenRequest, turn: number): string | null {
  const wordsOf = (text: string): Set<string> =>
    new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
  const asked = wordsOf(query);
  const tools =
    (body['tools'] as { function: { name: string; description?: string } }[] | undefined) ?? [];
  const ranked = tools
    .map(({ function: { name, description = '' } }) => ({
      name,
      score: [...wordsOf(`${name.replaceAll('_', ' ')} ${description}`)].filter((word) =>
        asked.has(word),
      ).length,
    }))
    .sort((a, b) => b.score - a.score);
  const chosen = ranked[turn % 7 === 0 ? 1 : 0];
  return chosen === undefined || chosen.score === 0 ? null : chosen.name;
}

test.beforeAll(async ({ host }) => {
  test.setTimeout(300_000);
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-screenshots-'));
  let turn = 0;
  model = await startFakeModelServer({
    models: ['careful-model-2'],
    rule: (request) => {
      if (request.body['model'] === silentModel) return { does: 'stall before headers' };
      turn += 1;
      const name = nearestTool(request, turn);
      return name === null
        ? { does: 'answer', text: 'Which of your folders do you mean?' }
        : { does: 'answer', calls: [{ name, arguments: { query: request.query.slice(0, 30) } }] };
    },
  });
  const corpus = JSON.parse(await readFile(join(datasets, 'corpus_v1.json'), 'utf8')) as Corpus;
  const golden = JSON.parse(
    await readFile(join(datasets, 'retrieval_golden_v1.json'), 'utf8'),
  ) as Golden;
  for (const server of serverNames) {
    const file = join(folder, `${server}.json`);
    const tools = corpus.tools
      .filter((tool) => tool.server === server)
      .map(({ tool, description, schema }) => ({ name: tool, description, inputSchema: schema }));
    await writeFile(file, JSON.stringify({ tools }));
    await host.command([
      'servers',
      'add',
      '--list-tools',
      server,
      '--stdio',
      fakeServerCommand('normal', '--tools', file),
    ]);
  }
  const cases = golden.queries
    .map(({ id, query, labels }) => ({
      id,
      query,
      right: labels.find(({ relevance }) => relevance === 2)?.tool_id.split(':') ?? [],
    }))
    .filter(({ right: [server = ''] }) => serverNames.includes(server))
    .slice(0, 58)
    .map(({ id, query, right: [server = '', tool = ''] }) => ({
      id,
      name: query.slice(0, 60),
      query,
      tags: [server],
      expected_calls: [{ server, tool, parameters: { query: query.slice(0, 20) } }],
    }));
  const suiteFile = join(folder, 'office.suite.json');
  await writeFile(
    suiteFile,
    JSON.stringify({
      version: 1,
      name: 'office',
      servers: serverNames,
      cases: [
        ...cases,
        { id: 'none-1', name: 'small talk', query: 'How are you today?', expected_calls: [] },
      ],
    }),
  );
  const suite = await commandJson<{ id: string }>(host, 'suite', 'import', suiteFile);
  const other = await evaluate(host, 'office');
  const asked = await evaluate(
    host,
    'office',
    '--provider',
    'openai-compatible',
    '--base-url',
    `${model.origin}/v1`,
    '--model',
    'careful-model-2',
    '--repetitions',
    '3',
  );
  const { servers } = await commandJson<{ servers: { id: string; name: string }[] }>(
    host,
    'servers',
    'list',
  );
  for (const [name, description] of [
    ['upper_case', 'Writes a text in capital letters.'],
    ['count_words', 'Counts the words of a text.'],
    ['first_line', 'Gives the first line of a text back.'],
  ] as const)
    await saveElsewhere(host, {
      name,
      description,
      executor_config: { command: 'true', annotations: { destructiveHint: true } },
    });
  Object.assign(ids, {
    server: servers.find(({ name }) => name === 'repo')?.id ?? '',
    suite: suite.id,
    evaluation: asked.evaluation_id,
    ...(await storeTasks(host, join(folder, 'tasks.suite.json'), {
      version: 1,
      name: 'office-tasks',
      servers: serverNames,
      cases: [
        {
          id: 'invite',
          name: 'Find the notes, then invite',
          turns: ['Search the notes of the last meeting.', 'Create an event for the next one.'],
          checks: [{ answer: { $contains: 'created' } }],
        },
      ],
    })),
    other: other.evaluation_id,
  });
  const { liveTasks, stop } = await startTasks(host, 'office-tasks', `${model.origin}/v1`);
  stopLive = stop;
  Object.assign(ids, { liveTasks });
});
let stopLive = async (): Promise<void> => undefined;
test.afterAll(async () => {
  await stopLive();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const sizes = [
  ['1024', 1024, 700],
  ['1440', 1440, 900],
  ['1920', 1920, 1080],
  ['zoomed', 640, 400],
] as const;
async function takeScreenshots(page: Page, { name }: Screen, area: string): Promise<void> {
  await mkdir(join(folderOfScreenshots, area), { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    for (const [size, width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.screenshot({
        path: join(folderOfScreenshots, area, `${name}-${size}-${colorScheme}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

for (const area of areas) {
  test(`takes screenshots of every screen in both themes at four sizes: ${area}`, async ({
    window,
  }) => {
    test.setTimeout(600_000);
    await completeIds(window, ids);
    for (const screen of screensOf(ids)[area]) {
      await openScreen(window, screen);
      await takeScreenshots(window, screen, area);
      await closeDialogs(window);
    }
  });
}
