import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, openServer, test as base, visit } from './fixtures.ts';
import { layoutFaults } from './layout.ts';

const source = join(import.meta.dirname, '..', 'src-main', 'testing', 'toolsWorkspace.ts');

/** Servers and tools of a workspace; none for a new one. */
const test = base.extend<{ size: readonly [servers: number, tools: number, odd?: number] | null }>({
  size: [null, { option: true }],
  host: async ({ hosts, size }, use, { file }) => {
    const prepare = async (workspace: string): Promise<void> => {
      if (size === null) return;
      await new Promise<void>((resolve, reject) => {
        execFile(process.execPath, [source, workspace, ...size.map(String)], (error, _, stderr) => {
          if (error) reject(new Error(stderr));
          else resolve();
        });
      });
    };
    await use(await hosts.hostFor(`${file} ${String(size)}`, prepare));
  },
});

const table = (page: Page) => page.getByRole('grid', { name: 'Tools' });
const chip = (page: Page, name: string) =>
  page
    .getByRole('group', { name: 'Show only' })
    .getByRole('button', { name: new RegExp(`^${name}`) });

async function expectTidy(page: Page): Promise<void> {
  expect(await layoutFaults(page)).toEqual([]);
  await expectAccessible(page);
}

test.describe('a new workspace', () => {
  test('shows the sample, and leads on when it is removed', async ({ window }) => {
    await visit(window, 'tools');
    await expect(table(window)).toBeVisible({ timeout: 30_000 });
    await expect(window.getByRole('heading', { level: 1 })).toHaveText(/needs? work/, {
      timeout: 30_000,
    });
    await expect(window.getByRole('columnheader', { name: 'Passed' })).toBeVisible({
      timeout: 60_000,
    });
    await expectTidy(window);
    await visit(window, 'settings');
    await window.getByRole('button', { name: 'Remove sample data' }).click();
    await expect(window.getByRole('button', { name: 'Add sample data' })).toBeVisible();
    await visit(window, 'tools');
    await expect(window.getByText(/^What your servers offer/)).toBeVisible({ timeout: 30_000 });
    await expectTidy(window);
  });
});

test.describe('one server', () => {
  test.use({ size: [1, 14] });
  test('sorts, filters by chips and search, and keeps the chip in the address', async ({
    window,
  }) => {
    await visit(window, 'tools');
    await expect(table(window)).toHaveAttribute('aria-rowcount', '15');
    await expect(window.getByRole('heading', { level: 1 })).toHaveText(/of 14 tools needs? work/);
    await expectTidy(window);
    await window.setViewportSize({ width: 1440, height: 900 });
    await chip(window, 'Untested').click();
    await expect(table(window)).toHaveAttribute('aria-rowcount', '3');
    await window.reload();
    await expect(chip(window, 'Untested')).toHaveAttribute('aria-pressed', 'true');
    await chip(window, 'All').click();
    await window.keyboard.press('/');
    await window.keyboard.type('delete_');
    await expect(table(window)).toHaveAttribute('aria-rowcount', '3');
    await window.getByRole('searchbox', { name: 'Search tools' }).fill('');
    await window.getByRole('columnheader', { name: 'Tokens' }).click();
    const tokens = await table(window)
      .locator('[role="row"]:not([aria-rowindex="1"]) [role="gridcell"]:last-child')
      .allTextContents();
    expect(tokens.map(Number)).toEqual(tokens.map(Number).sort((a, b) => a - b));
    await table(window).focus();
    await window.keyboard.press('ArrowDown');
    await window.keyboard.press('Enter');
    await expect(window).toHaveURL(/#\/tools\/server-1\/\w+$/);
  });

  test('leads every view with its verdict, and keeps the servers and the switch', async ({
    window,
  }) => {
    for (const [view, verdict] of [
      ['similar', /too similar$/],
      ['tokens', /^14 tools cost [\d,]+ tokens, /],
      ['signals', /^No signals in 14 tools$/],
      ['clients', /^None of \d+ clients hides a tool\. 2 descriptions are cut in Claude Code\./],
    ] as const) {
      await visit(window, `tools/${view}`);
      const switcher = window.getByRole('navigation', { name: 'Views of the tools' });
      await expect(switcher.locator('[aria-current]')).toHaveText(new RegExp(view, 'i'));
      await expect(window.getByRole('region', { name: 'Servers' })).toBeVisible();
      await expect(window.getByRole('heading', { level: 1 })).toHaveText(verdict);
    }
  });

  test('shows the tools of a server in the same table on its page', async ({ window }) => {
    await openServer(window, 'server-1');
    await expect(table(window)).toHaveAttribute('aria-rowcount', '15');
    await expect(window.getByRole('columnheader', { name: 'Most similar' })).toBeVisible();
    await chip(window, 'Expensive').click();
    await expect(table(window)).not.toHaveAttribute('aria-rowcount', '15');
    await expectTidy(window);
  });
});

test.describe('8 servers with 150 tools', () => {
  test.use({ size: [8, 150] });
  test('folds what is fine, shows what is broken, and filters by servers', async ({ window }) => {
    await visit(window, 'tools');
    const strip = window.getByRole('region', { name: 'Servers' });
    await expect(strip.getByText('7 servers')).toBeVisible();
    await expect(strip.getByText(/node was not found/)).toBeVisible();
    await expect(table(window)).toHaveAttribute('aria-rowcount', '151');
    await expectTidy(window);
    await strip.getByRole('button', { name: 'Show servers' }).click();
    const last = strip.getByRole('checkbox', { name: 'server-8' });
    await last.click();
    await expect(last).not.toBeChecked();
    await expect(table(window)).toHaveAttribute('aria-rowcount', '133');
    await window.getByRole('link', { name: 'Similar', exact: true }).click();
    await expect(strip.getByText(/^Only server-1/)).toBeVisible();
  });
});

test.describe('30 servers with 1,500 tools', () => {
  test.use({ size: [30, 1_500, 5] });
  test('shows the first rows at once and few of them', { tag: '@nightly' }, async ({ window }) => {
    await visit(window, 'tools');
    await expect(table(window)).toHaveAttribute('aria-rowcount', '1501');
    expect(await window.locator('[role="row"]').count()).toBeLessThan(80);
    await expect(window.getByRole('heading', { level: 1 })).toHaveText(/1,500 tools need work/, {
      timeout: 60_000,
    });
    await expectTidy(window);
  });

  test(
    'says what clients make of them: the worst first, in every column',
    { tag: '@nightly' },
    async ({ window }) => {
      await window.setViewportSize({ width: 1024, height: 768 });
      await visit(window, 'tools/clients');
      const grid = window.getByRole('grid', { name: 'Tools by client' });
      await expect(grid).toHaveAttribute('aria-rowcount', '1501', { timeout: 60_000 });
      expect(await window.locator('[role="row"]').count()).toBeLessThan(80);
      await expect(window.getByRole('heading', { level: 1 })).toHaveText(
        /^1,400 of 1,500 tools don't reach the model in Windsurf\. /u,
      );
      // The ten that were measured, and the two whose documented limits hide tools.
      await expect(grid.getByRole('columnheader')).toHaveCount(13);
      await expect(grid.getByRole('row').nth(1)).toContainText('server hidden');
      // Five servers are lost: three are named, and the others are a click away.
      await expect(window.getByRole('note')).toHaveCount(3);
      await expectTidy(window);
      await window.getByText('2 more reasons').click();
      await expect(window.getByRole('note')).toHaveCount(5);
      await window.getByRole('button', { name: /^Hidden or cut/u }).click();
      await expect(grid).not.toHaveAttribute('aria-rowcount', '1501');
      await window.getByLabel('Search tools').fill('no such tool');
      await window.getByRole('button', { name: 'Show all' }).click();
      await expect(grid).toHaveAttribute('aria-rowcount', '1501');
      // The tools of a server that is gone are shown as it listed them last.
      await window.getByLabel('Search tools').fill('server-30:');
      await expect(grid).toHaveAttribute('aria-rowcount', '51');
      await expect(window.getByRole('region', { name: 'Servers' })).toContainText(
        'node was not found',
      );
    },
  );
});
