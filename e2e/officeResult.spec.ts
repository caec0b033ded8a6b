import type { Page } from 'playwright';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';
import { evaluateOffice, officeModels, startOfficeModels } from './officeEvaluation.ts';

test.use({ startFrom: 'empty' });

let evaluation = '';

/** Makes the evaluation of two models on 47 tools once and opens its result. */
test.beforeEach(async ({ window, host }, info) => {
  if (evaluation === '') {
    const models = await startOfficeModels();
    const { evaluation_id: id } = await evaluateOffice(host, models, info.outputPath());
    await models[Symbol.asyncDispose]();
    evaluation = id;
  }
  await window.setViewportSize({ width: 1440, height: 900 });
  await visit(window, `results/${evaluation}`);
  await expect(
    window.getByRole('heading', { name: `${officeModels[0]}: 7 of 14 passed` }),
  ).toBeVisible();
  await expect(
    window.getByRole('heading', { name: `${officeModels[1]}: 3 of 14 passed` }),
  ).toBeVisible();
  await expect(window.getByRole('grid', { name: 'Expected and called tools' })).toBeVisible();
  await expect(window.getByRole('button', { name: /^2 more/ })).toBeVisible();
});

/** The names of the elements that are not wholly inside the visible part of the screen. */
function outside(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((elements) => {
    const main = document.querySelector('main')?.getBoundingClientRect();
    if (main === undefined || elements.length === 0) return ['nothing found'];
    return elements.flatMap((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const inside =
        top >= main.top &&
        bottom <= Math.min(main.bottom, window.innerHeight) &&
        left >= main.left &&
        right <= main.right;
      const name = element.getAttribute('aria-label') ?? element.textContent;
      return inside ? [] : [`${name} at ${Math.round(left)}, ${Math.round(bottom)}`];
    });
  });
}

const errorCells = '[role="gridcell"]:not([data-tone="empty"], [data-tone="correct"])';

test('shows every error of a model among 47 tools without a scroll', async ({ window }) => {
  await expect(window.locator(errorCells)).toHaveCount(8);
  expect(await outside(window, errorCells)).toEqual([]);
  const failures = window.getByRole('region', { name: 'Failures by tool' });
  await expect(failures.locator('li a')).toHaveCount(11);
  expect(await horizontalOverflow(window)).toBe(0);
  await expectAccessibleInBothThemes(window);
});

test('shows one line per failing case with the outcome of each model', async ({ window }) => {
  const list = window.getByRole('region', { name: 'Failures by tool' });
  for (const model of officeModels) await expect(list.getByText(model).first()).toBeVisible();
  const line = list.getByRole('link', { name: /^Show the deploy script/ });
  await expect(line).toHaveCount(1);
  await expect(line.getByRole('img', { name: 'Passed' })).toHaveCount(1);
  await expect(line.getByRole('img', { name: 'Wrong tool' })).toHaveCount(1);
  // One that fails with each model by another cause is below both, with one mark each.
  const moved = list.getByRole('link', { name: /^Move my 3 PM/ });
  await expect(moved).toHaveCount(2);
  await expect(moved.getByRole('img', { name: 'No tool called' })).toHaveCount(1);
  await expect(moved.getByRole('img', { name: 'Wrong tool' })).toHaveCount(1);
});

test('leads from the tools involved to all 47 tools', async ({ window }) => {
  const matrix = window.getByRole('grid', { name: 'Expected and called tools' });
  for (const server of ['calendar', 'files', 'mail', 'todo'])
    await expect(matrix.getByRole('columnheader', { name: server, exact: true })).toBeVisible();
  await window.getByRole('button', { name: 'All 47 tools' }).click();
  await expect(window.getByRole('tab', { name: 'Numbers' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('limits the page to one model and back', async ({ window }) => {
  await window.getByRole('combobox', { name: 'Model', exact: true }).click();
  await window.getByRole('option', { name: officeModels[0] }).click();
  await expect(window.getByRole('heading', { name: '7 of 14 cases passed' })).toBeVisible();
});

test('fixes a tool for the model that is chosen on the spot', async ({ window }) => {
  const list = window.getByRole('region', { name: 'Failures by tool' });
  await expect(
    list.getByRole('link', { name: `Fix for ${officeModels[1]}: files:search_files` }),
  ).toBeVisible();
  await list.getByRole('button', { name: 'Fix files:search_files for another model' }).click();
  await window.getByRole('menuitem', { name: `Fix for ${officeModels[0]}` }).click();
  await expect(window).toHaveURL(/tools\/files\/search_files\/edit\?result=.*&model=/);
  await expect(window.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(
    new RegExp(officeModels[0]),
  );
});

test('compares the models of one result in place, and keeps that across a reload', async ({
  window,
}) => {
  await window.getByRole('button', { name: 'Compare with another result' }).click();
  const comparison = window.getByRole('region', { name: 'Comparison', exact: true });
  await comparison.getByRole('combobox', { name: 'Compared with' }).click();
  await window.getByRole('option', { name: new RegExp(officeModels[0]) }).click();
  await expect(comparison.getByRole('combobox', { name: 'Compared model' })).toHaveValue(
    officeModels[1],
  );
  await expect(comparison.getByText('14 cases').first()).toBeVisible();
  await expectAccessible(window);
  await window.reload();
  await expect(comparison.getByRole('tab', { name: /^Broken [1-9]/ })).toBeVisible();
  await comparison.getByRole('button', { name: 'Close' }).click();
  await expect(comparison).toHaveCount(0);
  await expect(window).not.toHaveURL(/compare/);
});

test('keeps verdict, tabs and causes in the window at 1024 pixels', async ({ window }) => {
  await window.setViewportSize({ width: 1024, height: 768 });
  expect(await horizontalOverflow(window)).toBe(0);
  await expect(window.getByRole('link', { name: /^Fix search_files for / }).first()).toBeInViewport(
    { ratio: 1 },
  );
  const list = window.getByRole('region', { name: 'Failures by tool' });
  await expect(list.getByRole('button', { name: /files:search_files/ }).first()).toBeInViewport({
    ratio: 1,
  });
  await expect(window.getByRole('tab', { name: 'Numbers' })).toBeInViewport({ ratio: 1 });
  await window.getByRole('tab', { name: /^All runs/ }).click();
  const grid = window.getByRole('grid', { name: 'Cases' });
  for (const column of ['Outcome', 'Case'])
    await expect(grid.getByRole('columnheader', { name: column })).toBeInViewport({ ratio: 1 });
});
