import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { z } from 'zod';
import { fakeServerCommand } from './commands.ts';
import { expect, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';
import {
  compareTools,
  heatMap,
  listedPair,
  openSimilarTools,
  pairList,
  pairPanel,
} from './similarTools.ts';

let server: FakeModelServer;
const part = (score: number, explanation: string, suggestion: string) => ({
  score,
  explanation,
  suggestion,
});
test.beforeAll(async () => {
  server = await startFakeModelServer({
    rule: ({ query }) => {
      // It rewrites one tool of the pair and refuses the other.
      if (
        !query.startsWith('Rate') &&
        query.includes('"delete_task"') &&
        query.indexOf('"complete_task"') < query.indexOf('"delete_task"')
      )
        return { does: 'answer', text: 'I would rather not.' };
      if (!query.startsWith('Rate'))
        return {
          does: 'answer',
          text: JSON.stringify({
            description: query.includes('"delete_task"')
              ? 'Removes a task for good.'
              : 'Changes a task.',
          }),
        };
      if (query.includes('"delete_task"')) return { does: 'answer', text: 'I would rather not.' };
      return {
        does: 'answer',
        text: JSON.stringify({
          clarity: part(
            query.includes('list_tasks') ? 4 : 8,
            'It says when to use it.',
            'Name what comes back.',
          ),
          completeness: part(
            6,
            'Its limits are not told.',
            'Say what happens to a task that is done.',
          ),
          conciseness: part(9, 'No sentence too many.', ''),
        }),
      };
    },
  });
});
test.afterAll(() => server[Symbol.asyncDispose]());

const documentShape = z.object({
  recommendations: z.array(
    z.object({
      tool_pair: z.array(z.string()),
      issues: z.array(z.object({ evidence: z.string() })),
      recommendations: z.array(z.object({ recommendation: z.string() })),
    }),
  ),
});

test.describe('similarity', () => {
  test(
    'lists pairs, opens one from the heat map by keyboard, and lists groups',
    { tag: '@picture' },
    async ({ window }) => {
      await openSimilarTools(window);
      await expect(window.getByText('Similarity of 10 pairs of 5 tools, 0 to 1')).toBeVisible();
      await takePicture(window, 'similarity');
      const map = heatMap(window);
      await map.focus();
      await window.keyboard.press('End');
      await window.keyboard.press('Home');
      await window.keyboard.press('ArrowDown');
      const readout = await window
        .getByRole('status')
        .filter({ hasText: ' and todo:' })
        .textContent();
      await window.keyboard.press('Enter');
      // Readout, panel and list say the same number.
      const [similarity = ''] = /\d\.\d\d$/u.exec(readout ?? '') ?? [];
      await expect(pairPanel(window)).toContainText(`similarity ${similarity}`);
      await expect(
        pairList(window).getByRole('button').and(window.locator('[aria-current="true"]')),
      ).toContainText(similarity);
      await expectAccessible(window);
      await takePicture(window, 'similarity-pair');
      // The pair is part of the address; Escape closes it and returns the focus to the map.
      await expect(window).toHaveURL(/[?&]a=todo/u);
      await window.keyboard.press('Escape');
      await expect(pairPanel(window)).toHaveCount(0);
      await expect(map).toBeFocused();
      await window.getByText('Groups', { exact: true }).click();
      await expect(
        window.getByText(/\d groups?, \d of 5 tools|No two tools/u).first(),
      ).toBeVisible();
      await expectAccessible(window);
    },
  );

  test('opens a pair from the list, and leads from its advice to the editor', async ({
    window,
  }) => {
    await openSimilarTools(window);
    await pairList(window).getByRole('button').first().focus();
    await window.keyboard.press('ArrowDown');
    await window.keyboard.press('ArrowUp');
    await window.keyboard.press('Enter');
    const panel = pairPanel(window);
    await expect(panel.getByRole('heading', { name: 'add_task and complete_task' })).toBeVisible();
    await listedPair(window, 'complete_task', 'delete_task').click();
    await expect(
      panel.getByRole('heading', { name: 'complete_task and delete_task' }),
    ).toBeVisible();
    await expect(panel.getByRole('region', { name: 'Description' })).toHaveCount(2);
    await expect(panel.locator('mark').first()).toBeVisible();
    const inserted = await panel.locator('ins').first().textContent();
    await panel.getByRole('link', { name: /^Edit/u }).first().click();
    await expect(window).toHaveURL(/tools\/todo\/\w+\/edit/u);
    // The panel stays, with two regions of that name, until the code of the next page is there.
    await expect(window.getByRole('textbox', { name: 'Description', exact: true })).toHaveValue(
      new RegExp((inserted ?? '?').replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&'), 'u'),
    );
  });

  test('leads from Overview to the two most similar tools in three actions', async ({
    window,
    host,
  }) => {
    await host.command(['servers', 'check', 'todo', '--quiet']);
    await visit(window, '');
    let actions = 0;
    const click = async (target: Locator): Promise<void> => {
      await target.click();
      actions += 1;
    };
    await click(window.getByRole('navigation').first().getByRole('link', { name: 'Tools' }));
    await click(window.getByRole('link', { name: 'Similar', exact: true }));
    // The list starts with them; the third action shows why.
    await expect(pairList(window).getByRole('button').first()).toContainText('complete_task');
    await click(pairList(window).getByRole('button').first());
    await expect(
      pairPanel(window).getByRole('heading', { name: 'add_task and complete_task' }),
    ).toBeVisible();
    expect(actions).toBeLessThanOrEqual(3);
  });

  test('gives the advice of the command line, once', async ({ window, host }) => {
    const { stdout } = await host.command([
      ...['similarity', '--server', 'todo', '--threshold', '0.2', '--recommend', '--json'],
    ]);
    const { recommendations } = documentShape.parse(JSON.parse(stdout));
    const pair = recommendations.find(({ tool_pair: ids }) =>
      ['todo:complete_task', 'todo:delete_task'].every((id) => ids.includes(id)),
    );
    await openSimilarTools(window);
    await listedPair(window, 'complete_task', 'delete_task').click();
    const advice = pairPanel(window).getByRole('region', { name: 'What to change' });
    await expect(advice.getByRole('article').first()).toBeVisible();
    await expect(advice.locator('h4 + p')).toHaveText(
      pair?.issues.map(({ evidence }) => evidence) ?? [],
    );
    const titles = await advice.locator('b').allTextContents();
    const said = pair?.recommendations.map(({ recommendation }) => recommendation) ?? [];
    expect(titles.length).toBeGreaterThan(0);
    expect(said.map((text, at) => text.startsWith(titles[at] ?? '?'))).toEqual(
      titles.map(() => true),
    );
  });

  test('flags other pairs from another threshold without a request', async ({ window }) => {
    await openSimilarTools(window);
    const requests: string[] = [];
    window.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => {
        requests.push(String(payload));
      });
    });
    await window.reload();
    await compareTools(window);
    await expect(heatMap(window)).toBeVisible();
    const sent = (path: string): number =>
      requests.filter((request) => request.includes(path)).length;
    await expect.poll(() => sent('similarity/matrix')).toBe(1);
    const before = [sent('similarity/matrix'), sent('similarity/pairs')];
    expect(before[1]).toBeGreaterThan(0);
    const canvas = heatMap(window).locator('canvas');
    const paint = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
    const painted = await paint();
    await expect(window.getByText('Below 0.85, not flagged')).toBeVisible();
    await window.getByRole('slider', { name: 'Threshold' }).focus();
    for (let step = 0; step < 50; step += 1) await window.keyboard.press('ArrowLeft');
    await expect(window.getByText('Flag from a similarity of 0.35')).toBeVisible();
    await expect(window.getByRole('heading', { name: /\d+ tools are too similar/u })).toBeVisible();
    await expect.poll(paint).not.toBe(painted);
    expect([sent('similarity/matrix'), sent('similarity/pairs')]).toEqual(before);
    // It holds while the app is open.
    await visit(window, 'tools/tokens');
    await visit(window, 'tools/similar');
    await expect(window.getByText('Flag from a similarity of 0.35')).toBeVisible();
  });

  test(
    'shows 102 tools in both themes, with findings first and names in a block',
    { tag: '@nightly' },
    async ({ window, host }) => {
      const add = async (server: string, tools: readonly object[]): Promise<void> => {
        const file = join(host.workspace, `${server.replaceAll(' ', '-')}.json`);
        await writeFile(file, JSON.stringify({ tools }));
        await host.command([
          ...[
            'servers',
            'add',
            '--list-tools',
            server,
            '--stdio',
            fakeServerCommand('normal', '--tools', file),
          ],
          ...['--quiet', '--json'],
        ]);
      };
      const things = ['invoice', 'ticket', 'page', 'branch', 'image', 'contact', 'order', 'room'];
      const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'archive'];
      const made = verbs.flatMap((verb) =>
        things.map((thing) => ({
          name: `${verb}_${thing}`,
          description: `Will ${verb} one ${thing} of the ${thing} desk by its number.`,
          inputSchema: { type: 'object', properties: { [`${thing}_id`]: { type: 'string' } } },
        })),
      );
      await add('desk', made.slice(0, 50));
      await add('archive of the office', [
        { ...made[0], name: 'list-invoice' },
        {
          name: 'old_search',
          description: 'Searches. Deprecated: use search_everything.',
          inputSchema: {},
        },
        { name: 'search_everything', description: 'Searches in all drawers.', inputSchema: {} },
        { name: 'חיפוש_קבצים', description: 'מחפש קבצים לפי שם.', inputSchema: {} },
        {
          name: `a_tool_with_${'a_very_'.repeat(12)}long_name`,
          description: 'Does nothing.',
          inputSchema: {},
        },
        ...made.slice(9, 56).map((tool) => ({ ...tool, name: `office_${tool.name}` })),
      ]);
      await visit(window, 'tools');
      await window.reload();
      await openSimilarTools(window);
      await expect(window.getByText(/^Similarity of 5,151 pairs of 102 tools/u)).toBeVisible();
      const findings = window.getByRole('region', { name: 'Findings' });
      await expect(findings.getByRole('heading')).toHaveText([
        'old_search is a deprecated twin',
        'list-invoice exists on 2 servers',
      ]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await window.emulateMedia({ colorScheme });
        for (const width of [1440, 1024]) {
          await window.setViewportSize({ width, height: 900 });
          expect(await horizontalOverflow(window), `${colorScheme} ${width}`).toBe(0);
          await expect(heatMap(window)).toBeInViewport();
          await expect(window.getByRole('status').filter({ hasText: 'similarity' })).toBeInViewport(
            {
              ratio: 1,
            },
          );
          await expectAccessible(window);
        }
      }
      await heatMap(window).focus();
      await window.keyboard.press('+');
      await window.keyboard.press('+');
      await window.keyboard.press('+');
      await expect(
        heatMap(window)
          .getByText(/^(office_)?[a-z]+_[a-z]+$/u)
          .first(),
      ).toBeVisible();
      await window.getByRole('button', { name: 'Zoom out' }).click();
      await window.getByRole('button', { name: 'Show as table' }).click();
      await expect(window.getByRole('columnheader', { name: 'Similar tool' })).toBeVisible();
      await window.getByRole('button', { name: 'Show as chart' }).click();
      for (const [name, ending] of [
        ['SVG picture', 'svg'],
        ['PNG picture', 'png'],
      ] as const) {
        await window.getByRole('button', { name: 'Export chart' }).click();
        const [download] = await Promise.all([
          window.waitForEvent('download'),
          window.getByRole('menuitem', { name }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(`similar-tools.${ending}`);
      }
      await findings.getByRole('button', { name: 'Show fix' }).last().click();
      await expect(pairPanel(window)).toContainText('Rename');
      await expectAccessible(window);
      for (const server of ['desk', 'archive of the office'])
        await host.command(['servers', 'remove', server]);
      await window.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test(
    'a model revises both tools of a pair, and rates every tool with reasons',
    { tag: '@picture' },
    async ({ window }) => {
      await openSimilarTools(window);
      await listedPair(window, 'complete_task', 'delete_task').click();
      await expect(window.getByRole('heading', { name: 'What to change' })).toBeVisible();
      await window.getByRole('button', { name: 'Rewrite both with a model…' }).click();
      await window.getByRole('textbox', { name: 'Model' }).fill('writer');
      await window.getByRole('textbox', { name: 'Base URL' }).fill(`${server.origin}/v1`);
      await window.getByRole('button', { name: 'Ask openai-compatible · writer' }).click();
      await expect(window.getByText('Suggested by a model for').first()).toBeVisible();
      await expect(
        window.getByText(/todo:complete_task was not rewritten: .*I would rather not/),
      ).toBeVisible();
      await expect(window.getByRole('textbox', { name: 'Base URL' })).toBeHidden();
      await expectAccessible(window);
      await expect(
        window.getByRole('link', { name: 'Try the model’s revision' }).first(),
      ).toHaveAttribute('href', /source=model/);
      await window.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(window);
      await window.getByRole('heading', { name: 'What to change' }).scrollIntoViewIfNeeded();

      await visit(window, 'tools');
      await window.getByRole('button', { name: 'More actions' }).click();
      await window.getByRole('menuitem', { name: 'Rate with a model' }).click();
      const panel = window.getByRole('complementary').filter({ hasText: 'Ratings by a model' });
      await panel.getByRole('button', { name: 'Rate with a model…' }).click();
      // The model asked last is proposed again.
      await expect(window.getByRole('textbox', { name: 'Model' })).toHaveValue('writer');
      await window.getByRole('button', { name: 'Ask openai-compatible · writer' }).click();
      await expect(panel.getByText('4 tools rated by openai-compatible · writer')).toBeVisible();
      await expect(panel.getByText(/1 tool not rated\. todo:delete_task/)).toBeVisible();
      await panel.getByText('todo:list_tasks', { exact: true }).click();
      await expect(panel.getByText('It says when to use it.').first()).toBeVisible();
      await expect(panel.getByText('Name what comes back.').first()).toBeVisible();
      await expectAccessible(window);
      await window.emulateMedia({ colorScheme: 'light' });
      await expectAccessible(window);
      await panel.getByRole('link', { name: 'Open tool' }).click();
      const rating = window.getByRole('region', { name: 'Rating by a model' });
      await expect(rating.getByText('Name what comes back.').first()).toBeVisible();
      await expectAccessible(window);
      await window.goBack();
      await expect(window.getByRole('columnheader', { name: 'Rated' })).toBeVisible();
      await panel.getByText('todo:list_tasks', { exact: true }).click();
      await takePicture(window, 'tool-ratings');
    },
  );

  test('requires weights that sum to 1, and uses them in the next analysis', async ({ window }) => {
    await visit(window, 'settings');
    const semantic = window.getByRole('textbox', { name: 'Semantic' });
    await semantic.fill('0.1');
    await expect(window.getByText('They sum to 0.6, and must sum to 1.')).toBeVisible();
    await expect(window.getByRole('button', { name: 'Save weights' })).toBeDisabled();
    await window.getByRole('textbox', { name: 'Parameters' }).fill('0.7');
    await window.getByRole('button', { name: 'Save weights' }).click();
    await expect(window.getByText('Saved.', { exact: true })).toBeVisible();
    await expectAccessible(window);
    await openSimilarTools(window);
    await pairList(window).getByRole('button').first().click();
    await pairPanel(window).getByText('How the overlap is computed').click();
    await expect(
      window.getByText(/0\.1 × semantic .* \+ 0\.7 × parameters .* \+ 0\.2 × description/),
    ).toBeVisible();
    await visit(window, 'settings');
    await window.getByRole('button', { name: 'Reset' }).click();
    await expect(window.getByRole('textbox', { name: 'Parameters' })).toHaveValue('0.3');
  });

  test('compares only the chosen tools', async ({ window }) => {
    await openSimilarTools(window);
    await window.getByRole('button', { name: '1 server · 5 tools' }).click();
    const only = window.getByRole('combobox', { name: 'Only these tools' });
    for (const name of ['todo:add_task', 'todo:update_task', 'todo:list_tasks']) {
      await only.click();
      await window.getByRole('option', { name }).click();
    }
    // Leaving the field closes its list, which covers the button.
    await window.keyboard.press('Tab');
    await window.getByRole('button', { name: 'Compare tools' }).click();
    await expect(window.getByRole('button', { name: '1 server · 3 tools' })).toBeVisible();
    await expect(window.getByText('Similarity of 3 pairs of 3 tools, 0 to 1')).toBeVisible();
  });

  test.describe('dark theme', () => {
    test.use({ colorScheme: 'dark' });
    test('shows the heat map and accessible settings', { tag: '@picture' }, async ({ window }) => {
      await openSimilarTools(window);
      await expect(heatMap(window)).toBeVisible();
      await pairList(window).getByRole('button').first().click();
      await expect(pairPanel(window)).toBeVisible();
      await visit(window, 'settings');
      await expectAccessible(window);
    });
  });
});
