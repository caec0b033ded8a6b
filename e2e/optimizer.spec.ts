import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { startFakeModelServer } from '../src-main/testing/fakeModelServer/start.ts';
import type { LaunchedHost } from './launchLoopback.ts';
import { expectAccessible } from './accessibility.ts';
import { commandJson, evaluate, fakeServerCommand } from './commands.ts';
import { expect, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';

test.use(startedBefore);

const start = (window: Page) => window.getByRole('button', { name: 'Start search' });

/** Opens the plan of a search on the last evaluation. */
async function openOptimizer(window: Page): Promise<void> {
  await visit(window, 'results/last');
  await window.getByRole('link', { name: 'Search for better descriptions' }).click();
  await expect(start(window)).toBeEnabled();
}

/** Two tools have the description of each other: rules exchange them, and that can be proven. */
const exchanged = {
  texts: {
    get_forecast: 'Lists the storm and flood warnings that are active in a city.',
    list_alerts: 'Returns the weather forecast of a city: rain, wind and temperature.',
    find_hotel: 'Finds hotels with free rooms in a city.',
  },
  requests: {
    get_forecast: 'Give me the weather forecast with rain, wind and temperature of',
    list_alerts: 'Which storm and flood warnings are active in',
    find_hotel: 'Find a hotel with free rooms in',
  },
};
/** Descriptions that are right, and requests that leave open what they are for. */
const healthy = {
  texts: {
    ...exchanged.texts,
    get_forecast: exchanged.texts.list_alerts,
    list_alerts: exchanged.texts.get_forecast,
  },
  requests: { ...exchanged.requests, list_alerts: 'And' },
};
/** Evaluates requests for that many cities to each tool, and opens the plan of a search. */
async function openExchanged(
  window: Page,
  host: LaunchedHost,
  folder: (name: string) => string,
  cities: number,
  { texts, requests } = exchanged,
  model: readonly string[] = [],
): Promise<void> {
  const name = `weather-${cities}`;
  const inputSchema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  };
  const tools = Object.entries(texts).map(([tool, description]) => ({
    name: tool,
    description,
    inputSchema,
  }));
  await writeFile(folder('tools.json'), JSON.stringify({ tools }));
  const suite = {
    version: 1,
    name,
    servers: [name],
    cases: Object.entries(requests).flatMap(([tool, request]) =>
      Array.from({ length: cities }, (_, at) => ({
        id: `${tool}-${at}`,
        name: `${tool} ${at}`,
        query: `${request} Town ${at}`,
        expected_calls: [{ server: name, tool }],
      })),
    ),
  };
  await writeFile(folder('suite.json'), JSON.stringify(suite));
  await host.command([
    ...['servers', 'add', name, '--stdio'],
    fakeServerCommand('--tools', folder('tools.json')),
  ]);
  await host.command(['servers', 'check', name]);
  await commandJson(host, 'suite', 'import', folder('suite.json'));
  await evaluate(host, name, ...model);
  await openOptimizer(window);
}

const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z]{4,}/gu));

/** A model that reads descriptions, and answers no request from `hold` until `release`. */
async function startHeldModel() {
  let held = Promise.withResolvers<void>();
  held.resolve();
  const server = await startFakeModelServer({
    models: ['reader'],
    async rule({ query, body }) {
      await held.promise;
      const asked = wordsIn(query);
      const offered = body['tools'] as { function: { name: string; description: string } }[];
      const [first] = offered
        .map(({ function: { name, description } }) => ({
          name,
          shared: [...wordsIn(description)].filter((word) => asked.has(word)).length,
        }))
        .toSorted((a, b) => b.shared - a.shared);
      return { does: 'answer', calls: [{ name: first?.name ?? '', arguments: { city: 'Town' } }] };
    },
  });
  return {
    options: [
      ...['--provider', 'openai-compatible', '--model', 'reader'],
      ...['--base-url', `${server.origin}/v1`],
    ],
    hold: () => void (held = Promise.withResolvers<void>()),
    release: () => held.resolve(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('says so where no candidate is better', async ({ window, host }, info) => {
  test.slow();
  await openExchanged(window, host, (name) => info.outputPath(name), 6, healthy);
  await start(window).click();
  await expect(
    window.getByRole('heading', {
      level: 1,
      name: 'No candidate was better on the search half. The proof half is unused.',
    }),
  ).toBeVisible({ timeout: 120_000 });
  await expectAccessible(window);
});

test('pauses and resumes a search', async ({ window, host }, info) => {
  test.slow();
  await window.setViewportSize({ width: 1440, height: 900 });
  await using model = await startHeldModel();
  await openExchanged(window, host, (name) => info.outputPath(name), 20, exchanged, model.options);
  await expect(window.getByRole('heading', { name: 'What a search does' })).toBeVisible();
  const plan = window.getByRole('region', { name: 'Plan' });
  await expect(plan.getByText(/^\d+ cases; at least \d+ must be fixed/u)).toBeVisible();
  await expectAccessible(window);
  await window.getByText('Budget and steps').click();
  await window.getByLabel('Max. calls').fill('200');
  await expect(plan.getByText(/at most 200$/)).toBeVisible();
  await window.getByLabel('Max. calls').fill('');
  await expectAccessible(window);

  await window.getByText('Tokens', { exact: true }).first().click();
  await expect(window.getByText(/with the pass rate at most 2 points lower/u)).toBeVisible();
  await window.getByText('Pass rate', { exact: true }).first().click();
  await expect(start(window)).toBeEnabled();
  model.hold();
  await start(window).click();
  await window.getByRole('button', { name: 'Start now' }).click();
  await expect(window).toHaveURL(/results\/searches\/[0-9a-f-]{36}/u);
  await window.getByRole('button', { name: 'Pause' }).click();
  model.release();
  await expect(window.getByRole('heading', { level: 1, name: /^Paused/u })).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Resume' }).click();
  await expect(
    window.getByRole('heading', {
      level: 1,
      name: /^Proven: \d+ of \d+ held-out cases pass instead of \d+/u,
    }),
  ).toBeVisible({ timeout: 120_000 });
  await expectAccessible(window);
});

test(
  'leads from an evaluation through a search to a verdict and its patch',
  { tag: '@picture' },
  async ({ window, host }, info) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    await openExchanged(window, host, (name) => info.outputPath(name), 20);
    await expect(window.getByRole('region', { name: 'Plan' }).getByText('free')).toBeVisible();
    await start(window).click();
    await expect(window).toHaveURL(/results\/searches\/[0-9a-f-]{36}/u);
    const verdict = window.getByRole('heading', {
      level: 1,
      name: /\d+ of \d+ held-out cases pass instead of \d+/u,
    });
    await expect(verdict).toBeVisible({ timeout: 120_000 });
    await expect(window.getByRole('region', { name: 'Held-out pass rate' })).toBeVisible();
    await expect(window.getByRole('heading', { name: /gains? in \d+ steps?/u })).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'optimizer');
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await window.setViewportSize({ width: 1440, height: 900 });

    // Another step shows what it changed.
    const first = window.getByRole('button', { name: 'Show step 1', exact: true });
    await first.click();
    await expect(first).toHaveAttribute('aria-pressed', 'true');
    const step = window.getByRole('region', { name: 'Step 1', exact: true });
    await expect(step.getByRole('region', { name: 'Changed words' }).first()).toBeVisible();

    const patch = window.getByRole('region', { name: 'Patch' });
    await expect(patch.getByRole('heading', { name: 'Patch' })).toBeVisible();
    await expect(patch.getByText('| held-out cases | before | after')).toBeVisible();
    await patch.getByText('JSON Patch').click();
    await expect(patch.getByText('"op": "test"').first()).toBeVisible();
    const download = window.waitForEvent('download');
    await patch.getByRole('button', { name: 'Export patch' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/\.patch\.json$/u);
    expect(JSON.parse(await readFile(await saved.path(), 'utf8'))).toContainEqual({
      op: 'add',
      path: expect.stringMatching(/^\/tools\/\d+\//u) as unknown,
      value: expect.any(String) as unknown,
    });
    await window.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(window);

    await window.getByRole('link', { name: 'New search' }).click();
    await expect(
      window.getByRole('heading', { level: 1, name: 'Search for better descriptions' }),
    ).toBeVisible();
    await expectAccessible(window);
  },
);

test('cancels a search without a proof', async ({ window, host }, info) => {
  await using model = await startHeldModel();
  await openExchanged(window, host, (name) => info.outputPath(name), 20, exchanged, model.options);
  model.hold();
  await start(window).click();
  await window.getByRole('button', { name: 'Start now' }).click();
  await window.getByRole('button', { name: 'Cancel' }).click();
  model.release();
  await expect(window.getByRole('heading', { level: 1, name: 'Cancelled.' })).toBeVisible();
  await expect(window.getByRole('region', { name: 'Patch' })).toBeHidden();
  await window.getByRole('link', { name: 'New search' }).click();
  await expect(
    window.getByRole('table', { name: 'Estimates and searches' }).getByText('Cancelled'),
  ).toBeVisible();
});
