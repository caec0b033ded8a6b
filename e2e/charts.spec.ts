import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

async function openTrend(window: Page) {
  await visit(window, 'evaluations/trend');
  const chart = window.getByRole('figure', { name: /^Pass rate is / });
  await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
  return chart;
}

test('shows the numbers of a chart as a table', async ({ window }) => {
  const chart = await openTrend(window);
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('row')).toHaveCount(2);
  await expect(chart.getByRole('row').nth(1)).toContainText('#1');
  await chart.getByRole('button', { name: 'Show as chart' }).click();
  await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
});

test('opens the evaluation of a point by keyboard', async ({ window }) => {
  const chart = await openTrend(window);
  await chart.getByRole('link').first().focus();
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/evaluations\/[0-9a-f-]{36}/);
});

test('exports a chart as SVG and PNG with its finding', async ({ window }) => {
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
  expect(svg).toContain('Pass rate is 64%');
  // A saved file has no style sheet, so no color may refer to one.
  expect(svg).not.toContain('var(--');
  const png = await save('PNG picture');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('a chart and its table are accessible', async ({ window }) => {
      const chart = await openTrend(window);
      await expectAccessible(window);
      await chart.getByRole('button', { name: 'Show as table' }).click();
      await expectAccessible(window);
    });
  });
