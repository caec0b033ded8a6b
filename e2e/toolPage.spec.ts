import { expectAccessible } from './accessibility.ts';
import { expect, expectLoaded, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';

test.use(startedBefore);

const better =
  'Archives a message: takes it out of the inbox and keeps it. Also for requests to file, clear, ' +
  'remove or put away an email.';
const page = 'tools/mail/archive_message';

test(
  'leads from a tool to its proven fix, which stays on its page after a newer result',
  { tag: '@picture' },
  async ({ window }) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    await visit(window, page);
    await expect(window.getByRole('table', { name: 'Called instead of it' })).toBeVisible();

    const definition = window.getByRole('region', { name: 'Definition' });
    await expect(definition.getByRole('table', { name: 'Parameters' })).toBeVisible();
    const findings = window.getByRole('region', { name: 'Findings' });
    await expect(findings.getByRole('heading', { level: 2, name: /worst first$/u })).toBeVisible();
    await expect(
      window.getByRole('region', { name: 'Outcome' }).getByText(/expect it$/u),
    ).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'tool');
    await window.getByRole('button', { name: 'Try it' }).click();
    await expect(window.getByRole('button', { name: 'Call tool' })).toBeVisible();
    await expectAccessible(window);
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await window.setViewportSize({ width: 1440, height: 900 });

    await window.getByRole('link', { name: 'Edit and prove' }).click();
    await window.getByLabel('Description', { exact: true }).fill(better);
    await window.getByRole('button', { name: 'Save candidate' }).click();
    await expect(window.getByRole('table', { name: 'Candidates' })).toBeVisible();
    await window.getByRole('button', { name: /^Prove on \d+ cases/u }).click();
    await window.getByRole('button', { name: 'Prove now' }).click();
    await expect(window.getByRole('heading', { name: 'Proven', exact: true })).toBeVisible({
      timeout: 60_000,
    });

    await visit(window, page);
    const proven = window.getByRole('region', { name: 'Proven fix' });
    await expect(
      proven.getByRole('heading', { name: /^Proven fix: \d+ fixed, 0 broken$/u }),
    ).toBeVisible();
    await expect(proven.getByText('The server still offers the old text.')).toBeVisible();
    await expect(findings.getByText('in the fix').first()).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'tool-proven');
    const download = window.waitForEvent('download');
    await proven.getByRole('button', { name: 'Export patch' }).click();
    expect((await download).suggestedFilename()).toBe('archive_message.diff');

    // A reload is a restart of the window: the candidate is where it was.
    await window.reload();
    await proven.getByRole('link', { name: 'View candidate' }).click();
    await expect(window.getByLabel('Description', { exact: true })).toHaveValue(better);
    await expect(window.getByRole('heading', { name: 'Proven', exact: true })).toBeVisible();
    await window.emulateMedia({ colorScheme: 'dark' });
    await visit(window, page);
    await expectLoaded(window);
    await expectAccessible(window);
    await takePicture(window, 'tool-proven-dark');
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await takePicture(window, 'tool-proven-1024');
  },
);

test('edits a tool that no result has offered, and comes back after adding cases', async ({
  window,
}) => {
  await window.setViewportSize({ width: 1440, height: 900 });
  await visit(window, 'tools');
  await visit(window, 'tools/mail/archive_message/edit?text=Archives%20a%20message.&source=rule');
  const description = window.getByLabel('Description', { exact: true });
  await expect(description).toHaveValue('Archives a message.');
  await expect(window.getByText(/^Whole definition: \d+ tokens/u)).toBeVisible();
  await expectAccessible(window);
  await takePicture(window, 'tool-edit');
  const addCases = window
    .getByRole('button', { name: /^Add .*cases for archive_message$/u })
    .first();
  if (await addCases.isVisible()) {
    await addCases.click();
    await expect(window).toHaveURL(/\/suites\/.*return=/u);
    await window.getByRole('link', { name: 'Back to the edit' }).click();
    await expect(description).toHaveValue('Archives a message.');
  }
});
