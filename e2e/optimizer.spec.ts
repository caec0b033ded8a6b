import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expectAccessible } from './accessibility.ts';
import { expect, expectLoaded, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';

test.use({ startFrom: 'empty' });

const start = (window: Page) => window.getByRole('button', { name: 'Start search' });

/** Opens the page once the evaluation of the sample, which runs in the background, has ended. */
async function openOptimizer(window: Page): Promise<void> {
  await visit(window, 'results/last');
  await expect(async () => {
    await window.reload();
    await expectLoaded(window);
    await expect(window.getByLabel('Fix mail:archive_message')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await window.getByRole('link', { name: 'Search for better descriptions' }).click();
  await expect(start(window)).toBeEnabled();
}

test(
  'leads from an evaluation through a search, paused and resumed, to a verdict and its patch',
  { tag: '@picture' },
  async ({ window }) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    await openOptimizer(window);
    await expect(window.getByRole('heading', { name: 'What a search does' })).toBeVisible();
    const plan = window.getByRole('region', { name: 'Plan' });
    await expect(plan.getByText(/^\d+ cases; at least \d+ must be fixed/u)).toBeVisible();
    await expect(plan.getByText('free')).toBeVisible();
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
    await start(window).click();
    await expect(window).toHaveURL(/results\/searches\/[0-9a-f-]{36}/u);
    await window.getByRole('button', { name: 'Pause' }).click();
    await expect(window.getByRole('heading', { level: 1, name: /^Paused/u })).toBeVisible();
    await expectAccessible(window);
    await window.getByRole('button', { name: 'Resume' }).click();
    // What gains on the search half doesn't hold on the held-out half.
    const verdict = window.getByRole('heading', {
      level: 1,
      name: /^Rejected: \d+ of \d+ held-out cases pass instead of \d+, with \d+ more tokens/u,
    });
    await expect(verdict).toBeVisible({ timeout: 120_000 });
    await expect(window.getByRole('region', { name: 'Held-out pass rate' })).toBeVisible();
    await expect(window.getByRole('heading', { name: /gains? in \d+ steps/u })).toBeVisible();
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
    await expect(patch.getByRole('heading', { name: 'Patch, not proven' })).toBeVisible();
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

test('cancels a search without a proof', async ({ window }) => {
  await openOptimizer(window);
  await start(window).click();
  await window.getByRole('button', { name: 'Cancel' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Cancelled.' })).toBeVisible();
  await expect(window.getByRole('region', { name: 'Patch' })).toBeHidden();
  await window.getByRole('link', { name: 'New search' }).click();
  await expect(
    window.getByRole('table', { name: 'Estimates and searches' }).getByText('Cancelled'),
  ).toBeVisible();
});
