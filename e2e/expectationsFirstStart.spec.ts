import { expect, test } from './fixtures.ts';

/** The expectations 1 and 15: what a person sees first, in a new workspace. */
test.use({ startFrom: 'empty' });

test('expectation 1: the first start, offline, leads to a finished evaluation with one click', async ({
  window,
}) => {
  await expect(window.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await window.getByRole('button', { name: 'Run evaluation' }).first().click();
  await expect(window).toHaveURL(/#\/evaluations\/[0-9a-f-]{36}/);
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '39 of 61 cases passed' })).toBeVisible();
  await expect(verdict.getByText('64%')).toBeVisible();
  await expect(verdict.getByText(/^95% CI \d\d–\d\d%$/)).toBeVisible();
  await expect(verdict.getByText('22 failed')).toBeVisible();
  await expect(verdict.getByText(/^Biggest cause: /)).toBeVisible();
  await expect(verdict.getByRole('link', { name: /^Fix / })).toBeVisible();
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
