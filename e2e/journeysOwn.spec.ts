import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { commandJson, fakeMcpServer, fakeServerCommand } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';

/** What people do with servers of their own, counted by the page: clicks, and fields typed into. */
test.use(startedBefore);

type Counted = { clicks: number; fields: number };

async function startCounting(page: Page): Promise<void> {
  await page.evaluate(() => {
    const fields = new Set<EventTarget | null>();
    const counted = { clicks: 0, fields };
    Object.assign(window, { counted });
    window.addEventListener('pointerdown', () => (counted.clicks += 1), true);
    window.addEventListener(
      'input',
      ({ target }) => {
        const isText = !['checkbox', 'radio'].includes((target as HTMLInputElement).type);
        if (isText) fields.add(target);
      },
      true,
    );
  });
}

const readCount = (page: Page): Promise<Counted> =>
  page.evaluate(() => {
    const { counted } = window as unknown as {
      counted: { clicks: number; fields: Set<unknown> };
    };
    return { clicks: counted.clicks, fields: counted.fields.size };
  });

/** Fails if a journey has become longer, or if nothing of it was counted. */
async function expectAtMost(page: Page, most: Counted): Promise<void> {
  const done = await readCount(page);
  expect(done.clicks).toBeGreaterThan(0);
  expect(done.clicks, `clicks of at most ${most.clicks}`).toBeLessThanOrEqual(most.clicks);
  expect(done.fields, `fields of at most ${most.fields}`).toBeLessThanOrEqual(most.fields);
}

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const pullRequest = {
  type: 'object',
  properties: { number: { type: 'integer' } },
  required: ['number'],
};

async function toolsFile(path: string, texts: Record<string, string>, inputSchema: object) {
  await writeFile(
    path,
    JSON.stringify({
      tools: Object.entries(texts).map(([name, description]) => ({
        name,
        description,
        inputSchema,
      })),
    }),
  );
  return path;
}

test('own server: from its command to the first verdict in at most 8 clicks and 2 fields', async ({
  window,
}, info) => {
  test.slow();
  const tools = await toolsFile(
    info.outputPath('tools.json'),
    {
      get_forecast: 'Returns the weather forecast of a city for the next five days.',
      list_alerts: 'Lists the storm and flood warnings that are active for a city.',
    },
    city,
  );
  await visit(window, '');
  await expect(window.getByRole('heading', { name: /^\d+ of 180 cases passed$/ })).toBeVisible({
    timeout: 60_000,
  });
  await startCounting(window);
  await window.getByRole('link', { name: 'Add your own server' }).click();
  const form = window.getByRole('complementary', { name: 'Add server' });
  await form.getByRole('textbox', { name: 'Command' }).fill(fakeServerCommand('--tools', tools));
  await form.getByRole('button', { name: 'Add server' }).click();
  await expect(
    window.getByRole('grid', { name: 'Tools' }).getByText('get_forecast').first(),
  ).toBeVisible({ timeout: 30_000 });
  await window.getByRole('link', { name: 'Overview' }).click();
  const next = window.getByRole('region', { name: 'What to do next' });
  await next.getByRole('link', { name: 'Propose cases' }).click();
  await window.getByRole('button', { name: /^Create suite / }).click();
  await window.getByRole('textbox', { name: 'Query of proposal 1' }).fill('Will it rain in Oslo?');
  await window.getByRole('button', { name: 'Accept 1 case' }).click();
  await window.getByRole('link', { name: 'Run evaluation' }).click();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(
    window
      .getByRole('region', { name: 'Verdict' })
      .getByRole('heading', { name: /^[01] of 1 case passed$/ }),
  ).toBeVisible({ timeout: 30_000 });
  await expectAtMost(window, { clicks: 8, fields: 2 });
});

test.describe('with two models', () => {
  let models: FakeModelServer;
  test.beforeAll(async () => {
    models = await startFakeModelServer({
      models: ['small-1', 'large-1'],
      // Both know the status of a build only where its description speaks of one; the large one
      // guesses every fourth request.
      rule: ({ query, body, toolNames }) => {
        const said = JSON.stringify(body['tools']).includes('build');
        const guesses = body['model'] === 'large-1' && Number(/\d+/.exec(query)?.[0]) % 4 === 0;
        const wanted = said || guesses ? 'get_status' : 'get_pull';
        return {
          does: 'answer',
          calls: [
            {
              name: toolNames.find((name) => name.endsWith(wanted)) ?? wanted,
              arguments: { number: Number(/\d+/.exec(query)?.[0]) },
            },
          ],
        };
      },
    });
  });
  test.afterAll(() => models[Symbol.asyncDispose]());

  test(
    'own server: from a result of two models to a proven patch in at most 14 clicks and 2 fields',
    { tag: '@nightly' },
    async ({ window, host }, info) => {
      test.slow();
      const tools = await toolsFile(
        info.outputPath('tools.json'),
        {
          get_status: 'Gets the state of the checks of a change.',
          get_pull: 'Gets a pull request: title, author, branches and labels.',
        },
        pullRequest,
      );
      await host.command(['servers', 'remove', 'hub']).catch(() => undefined);
      await host.command([
        ...['servers', 'add', 'hub', '--list-tools', '--stdio'],
        fakeServerCommand('normal', '--tools', tools),
      ]);
      const suite = info.outputPath('hub.suite.json');
      await writeFile(
        suite,
        JSON.stringify({
          version: 1,
          name: 'hub',
          servers: ['hub'],
          cases: Array.from({ length: 48 }, (_, at) => ({
            id: `c${at}`,
            name: `Request ${at}`,
            query: `Is pull request ${at + 10} green?`,
            expected_calls: [{ server: 'hub', tool: 'get_status' }],
          })),
        }),
      );
      await host.command(['suite', 'import', suite]);
      await host.command([
        ...['eval', '--suite', 'hub', '--provider', 'openai-compatible', '--quiet'],
        ...['--base-url', `${models.origin}/v1`, '--model', 'small-1', 'large-1', '--json'],
      ]);
      await visit(window, '');
      await window.reload();
      await startCounting(window);
      await window
        .getByRole('region', { name: 'Verdict' })
        .getByRole('link', { name: 'Fix get_status for small-1' })
        .click();
      await window
        .getByLabel('Description', { exact: true })
        .fill('Gets the state of the build and of the checks of a pull request.');
      await window.getByRole('button', { name: 'Estimate' }).click();
      await window.getByRole('button', { name: /^Prove on \d+ cases/u }).click();
      await window.getByRole('dialog').getByRole('button', { name: 'Prove now' }).click();
      await expect(window.getByRole('heading', { name: 'Proven', exact: true })).toBeVisible({
        timeout: 60_000,
      });
      const download = window.waitForEvent('download');
      await window.getByRole('button', { name: 'Export patch' }).click();
      expect((await download).suggestedFilename()).toContain('get_status');
      await expectAtMost(window, { clicks: 14, fields: 2 });

      // The fix waits on Overview: once, as the next step.
      await visit(window, '');
      const next = window.getByRole('region', { name: 'What to do next' });
      await expect(
        next.getByRole('heading', { name: /^Proven fix of get_status: \d+ fixed, 0 broken$/u }),
      ).toBeVisible();
      await expect(window.getByText(/^Proven fix/u)).toHaveCount(1);
    },
  );
});

test('eight servers: from a dropped configuration to the worst tool and its fix in at most 6 clicks', async ({
  window,
  host,
}, info) => {
  test.slow();
  // The servers of the other journeys.
  const { servers } = await commandJson<{ servers: { name: string }[] }>(host, 'servers', 'list');
  for (const { name } of servers) await host.command(['servers', 'remove', name]);
  const names = ['mail', 'files', 'wiki', 'shop', 'build', 'maps', 'notes'];
  const mcpServers: Record<string, object> = {
    gone: { command: process.execPath, args: [join(info.outputDir, 'nothing.js')] },
  };
  for (const name of names) {
    const texts =
      name === 'shop'
        ? { pay: 'x', find_order: 'Finds an order of a customer by its number.' }
        : { [`list_${name}`]: `Lists what ${name} holds for a city, the newest first.` };
    const file = await toolsFile(info.outputPath(`${name}.json`), texts, city);
    mcpServers[`own-${name}`] = {
      command: process.execPath,
      args: [fakeMcpServer, 'normal', '--tools', file],
    };
  }
  await visit(window, '');
  await startCounting(window);
  await window.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'mcp.json', { type: 'application/json' }));
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, JSON.stringify({ mcpServers }));
  await window.getByRole('button', { name: 'Import 8 servers' }).click();
  await window.getByRole('button', { name: 'Connect all' }).click();
  await expect(window.getByText(/^Checked \d+ servers\. 1 server unreachable\.$/)).toBeVisible({
    timeout: 60_000,
  });
  const rows = window.getByRole('grid', { name: 'Tools' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('pay');
  await rows.nth(1).click();
  await expect(window.getByRole('heading', { level: 1, name: 'pay' })).toBeVisible();
  await window.getByRole('link', { name: 'Edit and prove' }).click();
  await expect(window.getByLabel('Description', { exact: true })).toHaveValue('x');
  await expectAtMost(window, { clicks: 6, fields: 0 });
});
