import { termTexts } from '../src-shared/display/termTexts.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

test('a term explains itself by keyboard, and Escape closes only the explanation', async ({
  window,
}) => {
  await visit(window, 'results/numbers');
  const term = window.getByRole('group', { name: 'Recall' }).getByText('Recall', { exact: true });
  const meaning = window.getByRole('tooltip', { name: termTexts.recall.meaning });
  // A key first, because focus shows only if it came from the keyboard.
  await window.keyboard.press('Tab');
  await term.focus();
  await expect(meaning).toBeVisible();
  await expect(term).toHaveAccessibleDescription(termTexts.recall.meaning);
  await expectAccessible(window);
  await window.keyboard.press('Escape');
  await expect(meaning).toBeHidden();
  await expect(term).toBeFocused();
});

test('a term explains itself by touch', async ({ host, chromium }) => {
  const context = await chromium.newContext({
    hasTouch: true,
    viewport: { width: 1024, height: 768 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(await host.newUrl());
  await page.getByRole('navigation').first().waitFor();
  await visit(page, 'results/numbers');
  await page.getByRole('group', { name: 'F1' }).getByText('F1', { exact: true }).tap();
  await expect(page.getByRole('tooltip', { name: termTexts.f1.meaning })).toBeVisible();
  await context.close();
});
