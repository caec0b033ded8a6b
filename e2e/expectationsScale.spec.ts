import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { fakeServerCommand } from './commands.ts';
import { expect, openServer, test, visit } from './fixtures.ts';

/** The expectation 18: much data. Expectation 20, little room, is part of layout.spec.ts. */

test('expectation 18: draws a page of 10,000 cases, and of 500 tools, within 8 frames', async ({
  window,
  host,
}, info) => {
  const cases = info.outputPath('many.jsonl');
  await writeFile(
    cases,
    Array.from({ length: 10_000 }, (_, at) =>
      JSON.stringify({ id: `c${at}`, name: `Case ${at}`, query: `Query ${at}`, tool: 'add_task' }),
    ).join('\n'),
  );
  await host.command([
    'suite',
    'import',
    cases,
    '--from',
    'jsonl',
    '--server',
    'todo',
    '--name',
    'many',
  ]);
  const tools = info.outputPath('tools.json');
  await writeFile(
    tools,
    JSON.stringify({
      tools: Array.from({ length: 500 }, (_, at) => ({
        name: `tool_${at}`,
        description: `Does number ${at}.`,
        inputSchema: { type: 'object' },
      })),
    }),
  );
  await host.command([
    'servers',
    'add',
    '--list-tools',
    'wide',
    '--stdio',
    fakeServerCommand('normal', '--tools', tools),
  ]);

  await visit(window, 'suites');
  await window.getByText('many', { exact: true }).first().click();
  await expect(window.getByText(/^10,000 cases/).first()).toBeVisible();
  await expectFluidPaging(window, window.getByRole('grid').first());
  await window.keyboard.press('End');
  await expect(window.getByText(/Case 9999$/)).toBeVisible();
  expect(await window.getByRole('row').count()).toBeLessThan(100);

  await openServer(window, 'wide');
  await window
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(window.getByText('500 tools', { exact: true }).first()).toBeVisible();
  await expectFluidPaging(window, window.getByRole('grid').first());
  await window.keyboard.press('End');
  await expect(window.locator('[aria-rowindex="501"]')).toContainText(/tool_\d+/);
  expect(await window.getByRole('row').count()).toBeLessThan(100);
});

/**
 * Moves 40 pages by keyboard and measures, inside the page, how long each takes to draw. The first
 * quartile counts, because other programs may use the machine.
 */
async function expectFluidPaging(page: Page, grid: ReturnType<Page['getByRole']>): Promise<void> {
  await grid.focus();
  const firstQuartile = await grid.evaluate(async (element) => {
    const nextFrame = (): Promise<number> =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    const times: number[] = [];
    for (let at = 0; at < 40; at += 1) {
      await nextFrame();
      const began = performance.now();
      element.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: at % 10 === 9 ? 'PageUp' : 'PageDown',
          bubbles: true,
          cancelable: true,
        }),
      );
      await nextFrame();
      await nextFrame();
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[times.length >> 2] ?? Infinity;
  });
  test
    .info()
    .annotations.push({ type: 'drawing a page', description: `${firstQuartile.toFixed(1)} ms` });
  // Two frames are the least that can be measured. A list that renders all its rows takes seconds.
  expect(firstQuartile).toBeLessThan(8 * (1_000 / 60));
}
