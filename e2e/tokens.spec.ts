import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { fakeServerCommand } from './commands.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';

const corpus = 'tools/tokens?of=corpus+corpus_v1';

async function openMap(window: Page, path: string) {
  await visit(window, path);
  const map = window.getByRole('figure', { name: /^Three tools/ });
  await expect(map.locator('svg.recharts-surface').first()).toBeVisible();
  return map;
}

test('gives the same total in the window and on the command line', async ({ window, host }) => {
  await host.command(['tools', '--server', 'todo']);
  for (const [options, address] of [
    [[], 'tools/tokens?server=todo'],
    [['--model', 'openai/gpt-5'], 'tools/tokens?server=todo&model=openai/gpt-5'],
  ] as const) {
    const { stdout } = await host.command(['tokens', '--server', 'todo', ...options]);
    const sentence = /^5 tools cost .*$/m.exec(stdout)?.[0] ?? '';
    expect(sentence).toMatch(/ tokens, [\d.]+% of a 128k window, before the first message\.$/);
    await visit(window, address);
    await expect(window.getByRole('heading', { name: sentence })).toBeVisible();
  }
});

test('moves through the map with the arrow keys, opens a tool, and exports a picture without references to a style sheet', async ({
  window,
}) => {
  const map = await openMap(window, corpus);
  await map
    .getByRole('button', { name: /of calendar, / })
    .first()
    .focus();
  await window.keyboard.press('ArrowRight');
  const second = map.getByRole('button', { name: /of calendar, / }).nth(1);
  await expect(second).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(second).toHaveAttribute('aria-pressed', 'true');
  await expect(window).toHaveURL(/tool=calendar/);
  await window.keyboard.press('Escape');
  await expect(window.getByRole('table', { name: 'Tokens by part' })).toBeHidden();
  await expect(second).toBeFocused();
  await map.getByRole('button', { name: 'Export chart' }).click();
  const [file] = await Promise.all([
    window.waitForEvent('download'),
    window.getByRole('menuitem', { name: 'SVG picture' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('tokens-by-tool.svg');
  expect(await readFile(await file.path(), 'utf8')).not.toContain('var(--');
});

test('prices requests with a chosen model, and says when no price is known', async ({ window }) => {
  await visit(window, `${corpus}&model=openai/gpt-5`);
  await expect(
    window.getByText(/^\$[\d.]+ per 1,000 requests with gpt-5, at the full/),
  ).toBeVisible();
  await visit(window, `${corpus}&model=openai-compatible/llama3.1`);
  await expect(
    window.getByText('No price known for llama3.1. Set it to see the cost.'),
  ).toBeVisible();
});

test(
  '107 tools and a server without a listing are readable at 1440 and 1024',
  { tag: '@nightly' },
  async ({ window, host }, info) => {
    const tools = info.outputPath('tools.json');
    await writeFile(
      tools,
      JSON.stringify({
        tools: Array.from({ length: 107 }, (_, at) => ({
          name: `tool_${at}`,
          description: `Does number ${at}. `.repeat(1 + ((at * 7) % 40)),
          inputSchema: { type: 'object', properties: { [`value_${at}`]: { type: 'string' } } },
        })),
      }),
    );
    const [wide, away] = ['wide', 'away'];
    const command = fakeServerCommand('normal', '--tools', tools);
    await host.command(['servers', 'add', '--list-tools', wide, '--stdio', command]);
    await host.command(['servers', 'add', away, '--stdio', 'no-such-program']);
    await host.command(['tools', '--server', wide]);

    for (const width of [1440, 1024]) {
      await window.setViewportSize({ width, height: 900 });
      await visit(window, `tools/tokens?server=${wide}`);
      await expect(window.getByRole('heading', { name: /^107 tools cost / })).toBeVisible();
      const map = window.getByRole('figure', { name: /^Three tools/ });
      await expect(map.getByRole('button', { name: / of wide/ })).toHaveCount(107);
      await expect(map.locator('[data-item][tabindex="0"]')).toHaveCount(1);
      await expect(window.getByText(/^Shorten \d+ long descriptions$/)).toBeVisible();
      await expectAccessibleInBothThemes(window);
      expect(await horizontalOverflow(window)).toBe(0);
      await map
        .getByRole('button', { name: / of wide/ })
        .first()
        .click();
      await expect(window.getByRole('table', { name: 'Tokens by part' })).toBeVisible();
      await expectAccessibleInBothThemes(window);
      expect(await horizontalOverflow(window)).toBe(0);
    }

    await visit(window, 'tools/tokens');
    await expect(window.getByText(/they have no stored tools: .*away/)).toBeVisible();
    await visit(window, `tools/tokens?server=${away}`);
    await expect(window.getByText(/^The token cost of each tool appears here once/)).toBeVisible();
    await expectAccessibleInBothThemes(window);
  },
);
