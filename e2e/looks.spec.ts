import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeModelServer,
  type FakeModelServer,
  type SeenRequest,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expect, test } from './fixtures.ts';
import {
  areas,
  closeDialogs,
  complete,
  type Ids,
  type Screen,
  screensOf,
  show,
} from './screens.ts';
import { saveElsewhere } from './workshopSteps.ts';

/**
 * Photographs every screen and dialog in both themes at four sizes, for people to look at: in a
 * workspace as its owner would have it, with six servers of 63 tools and 59 cases. Runs with
 * TOUCHSTONE_LOOKS=folder alone.
 */
test.use({ file: import.meta.filename });

const looks = process.env['TOUCHSTONE_LOOKS'] ?? '';
const fakeServer = join(
  import.meta.dirname,
  '..',
  'src-main',
  'testing',
  'fakeMcpServer',
  'main.ts',
);
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
const ids: Ids = {
  server: '',
  tool: '',
  suite: '',
  caseId: '',
  evaluation: '',
  other: '',
  run: '',
  workshopTool: '',
};

/** Which of the offered tools shares most words with the request; now and then the second. */
function nearest({ query, body }: SeenRequest, turn: number): string | null {
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
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-looks-'));
  let turn = 0;
  model = await startFakeModelServer({
    models: ['careful-model-2'],
    rule: (request) => {
      turn += 1;
      const name = nearest(request, turn);
      return name === null
        ? { does: 'answer', text: 'Which of your folders do you mean?' }
        : { does: 'answer', calls: [{ name, arguments: { query: request.query.slice(0, 30) } }] };
    },
  });
  const answerOf = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await host.command([...args, '--json'])).stdout) as T;
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
      server,
      '--stdio',
      `${process.execPath} ${fakeServer} normal --tools ${file}`,
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
  const suite = await answerOf<{ id: string }>('suite', 'import', suiteFile);
  const other = await answerOf<{ evaluation_id: string }>(
    'eval',
    '--suite',
    'office',
    '--quiet',
    '--provider',
    'builtin',
  );
  await answerOf('eval', '--suite', 'todo-sample', '--quiet', '--provider', 'builtin');
  const asked = await answerOf<{ evaluation_id: string }>(
    'eval',
    '--suite',
    'office',
    '--quiet',
    '--provider',
    'openai-compatible',
    '--base-url',
    `${model.origin}/v1`,
    '--model',
    'careful-model-2',
    '--repetitions',
    '3',
  );
  const { servers } = await answerOf<{ servers: { id: string; name: string }[] }>(
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
    tool: corpus.tools.find(({ server }) => server === 'repo')?.tool ?? '',
    suite: suite.id,
    evaluation: asked.evaluation_id,
    other: other.evaluation_id,
  });
});
test.afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const sizes = [
  ['1024', 1024, 700],
  ['1440', 1440, 900],
  ['1920', 1920, 1080],
  ['zoomed', 640, 400],
] as const;
async function photograph(page: Page, { name }: Screen, area: string): Promise<void> {
  await mkdir(join(looks, area), { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    for (const [size, width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.screenshot({
        path: join(looks, area, `${name}-${size}-${colorScheme}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

for (const area of areas) {
  test(`every screen of ${area} is photographed in both themes at four sizes`, async ({
    window,
  }) => {
    test.setTimeout(600_000);
    await complete(window, ids);
    for (const screen of screensOf(ids)[area]) {
      await show(window, screen);
      await photograph(window, screen, area);
      await closeDialogs(window);
    }
  });
}
