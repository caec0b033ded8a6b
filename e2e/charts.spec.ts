import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { evaluate } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';

/** A trend and a comparison need two evaluations, and the workspace starts with one. */
let later = '';
test.beforeAll(async ({ host }) => {
  later = (await evaluate(host, 'todo-sample')).evaluation_id;
});

async function openTrend(window: Page) {
  await visit(window, `suites/${sampleEvaluation().suiteId}`);
  const chart = window.getByRole('figure', { name: /^Same as previous / });
  await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
  return chart;
}

test('shows the numbers of a chart as a table, both accessible', async ({ window }) => {
  const chart = await openTrend(window);
  await expectAccessibleInBothThemes(window);
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('row').nth(1)).toContainText('#1');
  await expect(chart.getByRole('row').nth(2)).toContainText('#2');
  await expectAccessibleInBothThemes(window);
  await chart.getByRole('button', { name: 'Show as chart' }).click();
  await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
});

test('exports a chart as SVG and PNG with its finding, and opens the evaluation of a point by keyboard', async ({
  window,
}) => {
  const chart = await openTrend(window);
  const save = async (item: string): Promise<Buffer> => {
    await chart.getByRole('button', { name: 'Export chart' }).click();
    const [file] = await Promise.all([
      window.waitForEvent('download'),
      window.getByRole('menuitem', { name: item }).click(),
    ]);
    return readFile(await file.path());
  };
  const svg = String(await save('SVG picture'));
  expect(svg).toMatch(/^<svg xmlns/);
  expect(svg).toContain('Same as previous (#');
  // A saved file has no style sheet, so no color may refer to one.
  expect(svg).not.toContain('var(--');
  const png = await save('PNG picture');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // Twice the size on screen, which the SVG has.
  const width = Number(/ width="([\d.]+)"/.exec(svg)?.[1]);
  expect(Math.abs(png.readUInt32BE(16) - 2 * width)).toBeLessThan(2);
  await chart.getByRole('link').first().focus();
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/results\/[0-9a-f-]{36}/);
});

test('shows how long the answers took, in the title', async ({ window }) => {
  await visit(window, `results/${later}?tab=cost`);
  const chart = window.getByRole('figure', {
    name: /^Half of the answers took .* or less, 95% took .* or less$/,
  });
  await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
  await expectAccessible(window);
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('row', { name: /^p95 / })).toBeVisible();
});

test('shows the pass rates of several compared evaluations with their intervals', async ({
  window,
  host,
}) => {
  const { evaluation_id: last } = await evaluate(host, 'todo-sample');
  await visit(window, `results/${last}?compare=${sampleEvaluation().id}&with=${later}`);
  const chart = window.getByRole('figure', { name: /pass equally often$/ });
  await expect(chart.locator('.recharts-errorBar').first()).toBeVisible();
  await expectAccessible(window);
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('row').nth(1)).toContainText('75%');
});

test('draws recall curves, and opens a query on which two retrievers differ', async ({
  window,
}) => {
  await visit(window, 'labs/retrieval?golden=retrieval_golden_v1&retrievers=default,bm25');
  const curves = window.getByRole('figure', { name: /^The default retriever finds the most: / });
  await expect(curves.locator('svg.recharts-surface').first()).toBeVisible();
  const differences = window.getByRole('figure', {
    name: /^The default retriever is better than bm25 on /,
  });
  await differences.getByRole('link').first().focus();
  await window.keyboard.press('Enter');
  await expect(window.getByRole('list', { name: 'Ranking of bm25' })).toBeVisible();
});
