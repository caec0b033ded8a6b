import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

/** The expectations 1 and 15: what a person sees first, in a new workspace. */
test.use({ startFrom: 'empty', opensAt: '' });

test('expectation 1: the first start, offline, shows a finished evaluation without a click, and runs another with one', async ({
  window,
}) => {
  await expect(window.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  const last = window.getByRole('region', { name: 'Verdict' });
  await expect(last.getByRole('heading', { name: /^\d+ of 180 cases passed$/ })).toBeVisible({
    timeout: 30_000,
  });
  await expect(last.getByRole('link', { name: 'Fix archive_message' })).toBeVisible();
  const recent = window.getByRole('region', { name: 'Recent results' });
  await expect(recent.getByText('Sample', { exact: true })).toBeVisible();
  await expectAccessible(window);

  await visit(window, 'suites');
  await window.getByText('todo-sample').first().click();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window.getByRole('heading', { name: 'New evaluation' })).toBeVisible();
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(window).toHaveURL(/#\/results\/[0-9a-f-]{36}/);
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '46 of 61 cases passed' })).toBeVisible();
  await expect(verdict.getByText('75%')).toBeVisible();
  await expect(verdict.getByText(/^95% CI \d\d–\d\d%$/)).toBeVisible();
  await expect(verdict.getByText('15 failed')).toBeVisible();
  await expect(verdict.getByText(/^Among the biggest causes: /)).toBeVisible();
  await expect(verdict.getByRole('link', { name: /^Fix / })).toBeVisible();
  await expect(window.getByText('Built-in selector (no model)').first()).toBeVisible();
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
  await window.getByRole('menuitemradio', { name: 'System' }).click();
  await expect(theme).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('removes all sample data with one click, and brings it back with Undo', async ({ window }) => {
  await visit(window, '');
  await expect(window.getByRole('heading', { name: /cases passed$/ })).toBeVisible({
    timeout: 30_000,
  });
  await visit(window, 'settings');
  const section = window.getByRole('region', { name: 'Sample data' });
  await expect(section).toContainText('4 servers, 3 suites, evaluation #1.');
  await section.getByRole('button', { name: 'Remove sample data' }).click();
  await expect(section).toContainText('No sample data in this workspace.');
  await expect(section.getByRole('button', { name: 'Add sample data' })).toBeVisible();
  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(section).toContainText('4 servers, 3 suites, evaluation #1.');
  await expectAccessible(window);
});
