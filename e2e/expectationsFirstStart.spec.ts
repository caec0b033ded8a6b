import { expect, test } from './fixtures.ts';

/** The expectations 1 and 15: what a person sees first, in a new workspace. */
test.use({ startFrom: 'empty' });

test('expectation 1: the first start, offline, leads to a finished evaluation with one click', async ({
  window,
}) => {
  await expect(window.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await window.getByRole('button', { name: 'Run evaluation' }).first().click();
  await expect(window).toHaveURL(/#\/evaluations\/[0-9a-f-]{36}/);
  await expect(window.getByText('61 of 61 runs scored')).toBeVisible();
  await expect(window.getByRole('grid', { name: 'Confusion matrix' })).toBeVisible();
  for (const tile of ['Precision', 'Recall', 'F1', 'Parameters', 'Failed'])
    await expect(window.getByText(tile, { exact: true }).first()).toBeVisible();
  await expect(window.getByText(/\[0\.\d\d–0\.\d\d\]/).first()).toBeVisible();
  await expect(window.getByText('builtin (no model)').first()).toBeVisible();
});

test('expectation 15: the theme follows the system until one is chosen, and a reload keeps it', async ({
  window,
}) => {
  const theme = window.locator('html');
  await window.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expect(theme).toHaveAttribute('data-mantine-color-scheme', 'light');
  await window.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expect(theme).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await window.getByRole('button', { name: /^Theme/ }).click();
  await window.getByRole('menuitemradio', { name: 'Light' }).click();
  await expect(theme).toHaveAttribute('data-mantine-color-scheme', 'light');
  await window.reload();
  await expect(window.getByRole('button', { name: 'Theme: light' })).toBeVisible();
  await expect(theme).toHaveAttribute('data-mantine-color-scheme', 'light');
  await window.getByRole('button', { name: /^Theme/ }).click();
  await window.getByRole('menuitemradio', { name: 'As the system' }).click();
  await expect(theme).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
