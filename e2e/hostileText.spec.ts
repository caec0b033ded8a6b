import {
  commandJson,
  evaluate,
  fakeServerCommand,
  silentModel,
  startTasks,
  storeTasks,
} from './commands.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { isNightly } from '../src-main/testing/nightly.ts';
import { accessibilityFaults, accessibilityFaultsInBothThemes } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import type { LaunchedHost } from './launchLoopback.ts';
import { layoutFaults } from './layout.ts';
import {
  areas,
  closeDialogs,
  completeIds,
  type Ids,
  noIds,
  knownRoutes,
  openScreen,
  screensOf,
} from './screens.ts';
import { saveElsewhere } from './workshopHelpers.ts';

/**
 * Opens every screen and dialog of a workspace in which everything that others can write is hostile:
 * servers, tools, suites, model answers and workshop tools.
 */
const markup = '<img src=x onerror=alert(1)></script><script>alert(1)</script>';
const invisible = '\u202Edesrever\u202C \u200B\u2066x \u001B[31mred\u0007';
const links =
  'javascript:alert(1) [a](javascript:alert(1)) ![](https://evil.test/x.png) =HYPERLINK("https://evil.test")';
const longWord = 'w'.repeat(10_000);
const hostile = `${markup} ${invisible} ${links} ${longWord}`;
const tool = 'find_<img src=x onerror=alert(1)>';

let folder = '';
let model: FakeModelServer;
test.beforeAll(async ({ host }) => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-hostile-'));
  model = await startFakeModelServer({
    rule: ({ body, toolNames }) =>
      body['model'] === silentModel
        ? { does: 'stall before headers' }
        : {
            does: 'answer',
            text: hostile,
            calls: [
              {
                name: toolNames[0] ?? '',
                arguments: { [markup.slice(0, 40)]: invisible, text: longWord },
              },
            ],
          },
  });
  await fillWorkspace(host);
});
let stopLive = async (): Promise<void> => undefined;
test.afterAll(async () => {
  await stopLive();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const ids: Ids = noIds();
let exported = 0;
/** Fills the workspace with hostile text wherever the program accepts it. */
async function fillWorkspace(host: LaunchedHost): Promise<void> {
  const tools = join(folder, 'tools.json');
  const schema = {
    type: 'object',
    properties: {
      [markup.slice(0, 40)]: { type: 'string', description: hostile },
      text: { type: 'string', enum: [invisible, links] },
    },
  };
  await writeFile(
    tools,
    JSON.stringify({
      instructions: hostile,
      tools: [
        { name: tool, title: invisible, description: hostile, inputSchema: schema },
        { name: 'find_notes', description: `Finds notes. ${invisible}`, inputSchema: schema },
      ],
    }),
  );
  await host.command([
    'servers',
    'add',
    '--list-tools',
    'hostile <img src=x onerror=alert(1)>',
    '--stdio',
    fakeServerCommand('normal', '--tools', tools),
  ]);
  const suiteFile = join(folder, 'hostile.suite.json');
  const cases = [
    markup,
    invisible,
    links,
    '=HYPERLINK("https://evil.test","x")',
    longWord.slice(0, 900),
  ].map((text, at) => ({
    id: `case-${at}`,
    name: text.slice(0, 200),
    query: `find ${text}`,
    tags: [text.slice(0, 40)],
    expected_calls: [
      {
        server: 'hostile <img src=x onerror=alert(1)>',
        tool: at % 2 === 0 ? tool : 'find_notes',
        parameters: { text: invisible },
      },
    ],
  }));
  await writeFile(
    suiteFile,
    JSON.stringify({
      version: 1,
      name: `hostile ${markup}`,
      system: hostile.slice(0, 5_000),
      servers: ['hostile <img src=x onerror=alert(1)>'],
      cases,
    }),
  );
  const suite = await commandJson<{ id: string }>(host, 'suite', 'import', suiteFile);
  const suiteName = `hostile ${markup}`;
  const other = await evaluate(host, suiteName);
  const asked = await evaluate(
    host,
    suiteName,
    '--provider',
    'openai-compatible',
    '--base-url',
    `${model.origin}/v1`,
    '--model',
    'fake-model',
  );
  const { servers } = await commandJson<{ servers: { id: string; name: string }[] }>(
    host,
    'servers',
    'list',
  );
  await saveElsewhere(host, {
    name: 'hostile_tool',
    display_name: markup,
    description: `${markup} ${invisible} ${links}`,
    executor_config: { command: 'true', annotations: { destructiveHint: true } },
  });
  exported = asked.number;
  Object.assign(ids, {
    server: servers.find(({ name }) => name.startsWith('hostile'))?.id ?? '',
    suite: suite.id,
    evaluation: asked.evaluation_id,
    other: other.evaluation_id,
    ...(await storeTasks(host, join(folder, 'tasks.suite.json'), {
      version: 1,
      name: `tasks ${markup}`,
      servers: ['hostile <img src=x onerror=alert(1)>'],
      cases: [
        {
          id: 'hostile',
          name: hostile.slice(0, 200),
          turns: [`find ${hostile}`],
          checks: [{ answer: links }],
          stub_results: [
            {
              server: 'hostile <img src=x onerror=alert(1)>',
              tool: 'find_notes',
              result: hostile,
            },
          ],
        },
      ],
    })),
  });
  const { liveTasks, stop } = await startTasks(host, `tasks ${markup}`, `${model.origin}/v1`);
  stopLive = stop;
  Object.assign(ids, { liveTasks });
}

test('T09: the screens below cover every route of the program', () => {
  const anyIds = Object.fromEntries(
    Object.entries(noIds()).map(([name, id]) => [name, Array.isArray(id) ? ['x', 'x'] : 'x']),
  ) as unknown as Ids;
  const opened = Object.values(screensOf(anyIds))
    .flat()
    .map(({ path }) => path);
  const openedByClick = ['labs/detectors/corpora/x', 'results/searches/x'];
  expect(
    knownRoutes()
      .filter((route) => ![...opened, ...openedByClick].some((path) => route.test(path)))
      .map(String),
  ).toEqual([]);
});

/** Signs that hostile text became an element or pushed the layout apart, and faults of it. */
async function faultsOf(page: Page): Promise<string[]> {
  const elements = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll(
        'img, iframe, object, embed, [href^="javascript:"], [onerror], [onmouseover]',
      ),
      ({ outerHTML }) => outerHTML.slice(0, 80),
    ),
  );
  // How many pixels the length of a hostile page differs from that of the window is chance.
  const faults = (await layoutFaults(page)).filter(
    (fault) => !/: <main .* scrolls down by only /u.test(fault),
  );
  return [...elements, ...faults];
}

for (const area of areas) {
  test(`T09: hostile text does nothing and keeps the layout on every screen: ${area}`, async ({
    window,
  }) => {
    test.setTimeout(180_000);
    const dialogs: string[] = [];
    window.on('dialog', (one) => {
      dialogs.push(one.message());
      void one.dismiss();
    });
    await completeIds(window, ids);
    for (const screen of screensOf(ids)[area]) {
      await openScreen(window, screen);
      expect.soft(await faultsOf(window), screen.name).toEqual([]);
      // Screens without a dialog are checked for accessibility by the tests of what they do.
      if (area === 'dialogs')
        expect
          .soft(
            await (isNightly ? accessibilityFaultsInBothThemes : accessibilityFaults)(window),
            screen.name,
          )
          .toEqual([]);
      await closeDialogs(window);
    }
    expect(dialogs, 'scripts that ran').toEqual([]);
  });
}

test('T09: hostile text does nothing in a report and keeps every format valid', async ({
  window,
  host,
  chromium,
}) => {
  const files = new Map<string, string>();
  for (const format of ['html', 'md', 'json', 'csv', 'junit'])
    files.set(format, (await host.command(['export', String(exported), '--to', format])).stdout);
  const context = await chromium.newContext({ offline: true });
  const page = await context.newPage();
  const acted: string[] = [];
  page.on('dialog', (one) => {
    acted.push(one.message());
    void one.dismiss();
  });
  page.on('request', (request) => acted.push(request.url()));
  await page.setContent(files.get('html') ?? '');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('hostile <img src=x');
  expect(await page.locator('img, iframe').count()).toBe(0);
  expect(acted).toEqual([]);
  await context.close();
  expect(() => {
    JSON.parse(files.get('json') ?? '');
  }).not.toThrow();
  // Inside a code span everything is text.
  expect(files.get('md')?.replaceAll(/(`+)[^]*?\1/g, '')).not.toMatch(/(?<!\\)<img|!\[\]\(/);
  expect(
    files
      .get('csv')
      ?.split('\n')
      .some((line) => /(^|,)"?[=+@]/.test(line)),
  ).toBe(false);
  const broken = await window.evaluate(
    (xml) =>
      new DOMParser().parseFromString(xml, 'application/xml').querySelector('parsererror')
        ?.textContent ?? null,
    files.get('junit') ?? '',
  );
  expect(broken).toBeNull();
});

test('T07: the content policy refuses an inline script, code from text and a remote image', async ({
  host,
  chromium,
}) => {
  const page = await chromium.newPage();
  const asked: string[] = [];
  page.on('response', (response) => asked.push(new URL(response.url()).host));
  await page.goto(await host.newUrl());
  await page.getByRole('heading', { level: 1 }).waitFor();
  const refused = await page.evaluate(async () => {
    const seen = new Set<string>();
    const three = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        seen.add(`${effectiveDirective} ${blockedURI}`);
        if (seen.size === 3) resolve();
      });
    });
    const script = document.createElement('script');
    script.textContent = 'window.acted = true';
    document.body.append(script);
    // Later, because Playwright's own evaluation suspends the policy while it runs.
    const later = window.setTimeout.bind(window) as (code: string) => number;
    later('window.acted = true');
    new Image().src = 'https://evil.test/x.png';
    await three;
    return { seen: [...seen].sort(), acted: 'acted' in window };
  });
  expect(refused).toEqual({
    seen: ['img-src https://evil.test/x.png', 'script-src eval', 'script-src-elem inline'],
    acted: false,
  });
  expect(asked).not.toContain('evil.test');
  await page.close();
});
