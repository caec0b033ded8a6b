import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { expect, expectLoaded, horizontalOverflow, takePicture, test, visit } from './fixtures.ts';
import { startedBefore } from './sampleWorkspace.ts';

test.use(startedBefore);

const better =
  'Archives a message: takes it out of the inbox and keeps it. Also for requests to file, clear, ' +
  'remove or put away an email.';

test(
  'leads from a failing tool to a proven fix and its patch in one go',
  { tag: '@picture' },
  async ({ window }) => {
    test.slow();
    await window.setViewportSize({ width: 1440, height: 900 });
    await visit(window, 'results/last');
    await window.getByLabel('Fix mail:archive_message').click();

    await expect(
      window.getByRole('heading', {
        level: 1,
        name: /^\d+ failing requests involve archive_message$/u,
      }),
    ).toBeVisible();
    await expect(
      window.getByText(/expect or call archive_message\. \d+ of them stay hidden/u),
    ).toBeVisible();
    const next = window.getByRole('region', { name: 'Next step' });
    await expect(next.getByText(/^Next: change the description\.$/u)).toBeVisible();
    await expect(next.getByText(/^What goes wrong: .+ of \d+ requests\.$/u)).toBeVisible();
    const disabled = window.getByRole('button', { name: 'Estimate' });
    await expect(disabled).toBeDisabled();
    await expect(disabled).toHaveAttribute('title', /^Change the definition/u);
    await expectAccessible(window);

    await window.getByLabel('Description', { exact: true }).fill(better);
    await expect(window.getByText('Trips no security detector')).toBeVisible();
    await expect(window.getByText('Shares no long phrase with a request')).toBeVisible();
    await window.getByRole('button', { name: 'Estimate' }).click();
    await expect(
      window.getByRole('heading', { level: 1, name: /this candidate fixes an estimated \d+$/u }),
    ).toBeVisible();
    await expect(window.getByText('fixed in estimate').first()).toBeVisible();
    await expect(next.getByText(/^Next: prove it on \d+ held-out cases\.$/u)).toBeVisible();
    await window.getByText('How this is decided').click();
    await expect(window.getByText(/can decide it\. The proof needs at least 7/u)).toBeVisible();
    await window.getByText('How this is decided').click();
    await expectAccessible(window);
    await takePicture(window, 'fix');
    await window.setViewportSize({ width: 1024, height: 768 });
    expect(await horizontalOverflow(window)).toBe(0);
    await window.setViewportSize({ width: 1440, height: 900 });

    await window.getByRole('button', { name: /^Prove on \d+ cases/u }).click();
    const question = window.getByRole('dialog', { name: 'Use the proof of this candidate?' });
    await expect(
      question.getByText(/can decide it\. The proof needs at least 7 fixed/u),
    ).toBeVisible();
    await expectAccessible(window);
    await question.getByRole('button', { name: 'Not yet' }).click();
    await expect(question).toBeHidden();
    await window.getByRole('button', { name: /^Prove on \d+ cases/u }).click();
    await question.getByRole('button', { name: 'Prove now' }).click();
    const title = window.getByRole('heading', { level: 1, name: /^Proven: the candidate fixed/u });
    await expect(title).toBeVisible();
    await expect(window.getByRole('heading', { name: 'Proven', exact: true })).toBeVisible();
    await expect(next.getByText(/^Next: export the patch/u)).toBeVisible();
    const patch = window.getByRole('region', { name: 'Patch' });
    await expect(
      patch.getByText(/^## Fix \d+ held-out cases of `mail:archive_message`/u),
    ).toBeVisible();
    await expect(patch.getByText('Proven: the candidate fixed')).toBeVisible();
    await expectAccessible(window);
    await takePicture(window, 'fix-verified');

    await patch.getByText('JSON Patch').click();
    const download = window.waitForEvent('download');
    await patch.getByRole('button', { name: 'Export patch' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('archive_message.patch.json');
    expect(JSON.parse(await readFile(await saved.path(), 'utf8'))).toContainEqual({
      op: 'add',
      path: expect.stringMatching(/^\/tools\/\d+\/description$/u) as unknown,
      value: better,
    });
    await window.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(window);

    // It is kept: as a candidate of the tool.
    await visit(window, 'tools/mail/archive_message');
    await expect(window.getByRole('heading', { name: /^Proven fix: /u })).toBeVisible();
    await window.getByRole('link', { name: 'View candidate' }).click();
    await expect(title).toBeVisible();

    // The result with the failures that it fixes leads to it.
    await visit(window, 'results/last');
    const failures = window.getByRole('region', { name: 'Failures by tool' });
    await failures.getByRole('link', { name: /^Proven fix: \d+ fixed, 0 broken$/u }).click();
    await expect(title).toBeVisible();
  },
);

test('keeps candidates apart: same edits are one, names change, deleting can be undone', async ({
  window,
}) => {
  await visit(window, 'tools/mail/archive_message/edit');
  await expect(window).toHaveURL(/tools\/mail\/archive_message\/edit$/u);
  const table = window.getByRole('table', { name: 'Candidates' });
  await expect(table.getByRole('row')).toHaveCount(2);
  await window.getByLabel('Description', { exact: true }).fill('Puts a message into the archive.');
  await window.getByRole('button', { name: 'Estimate' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);
  const name = window.getByLabel('Name of Candidate 2');
  await name.fill('Short');
  await name.press('Enter');
  await expect(window.getByLabel('Name of Short')).toBeVisible();

  await window.getByRole('button', { name: 'Discard changes' }).click();
  await window.getByLabel('Description', { exact: true }).fill('Puts a message into the archive.');
  // The same texts are the same candidate: its estimate is there at once.
  await window.getByRole('button', { name: 'Estimate' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);

  await window.getByRole('button', { name: 'Put Short away' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await window.getByRole('button', { name: 'Undo' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);
  await window.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(window);
});

test('drops advice that the text follows, and says how to decide about a weak edit', async ({
  window,
}) => {
  test.slow();
  await window.setViewportSize({ width: 1440, height: 900 });
  await visit(window, 'tools/mail/archive_message/edit');
  const advice = window.getByRole('heading', {
    name: 'Add the words that requests use to the description of archive_message',
  });
  await expect(advice).toBeVisible();
  await window
    .getByLabel('Description', { exact: true })
    .fill('Archives a message of a closed matter: puts it away and keeps it.');
  await expect(window.getByText(/^Whole definition: \d+ tokens/u)).toBeVisible();
  await expect(advice).toBeHidden();
  // Words that the text no longer says bring it back, as does the server's own text.
  await window.getByLabel('Description', { exact: true }).fill('Archives a message.');
  await expect(advice).toBeVisible();
  // An emptied text doesn't look ready: what is missing is said, and stays with other edits.
  await window.getByLabel('Description', { exact: true }).fill('');
  const checks = window.getByRole('list', { name: 'Checks' });
  await expect(checks).toContainText('archive_message has no description, so a model has only');
  const next = window.getByRole('region', { name: 'Next step' });
  await expect(next).toContainText('Next: write the description. Say what it does beyond its name');
  await expect(next.getByRole('listitem').filter({ hasText: /^2Edit$/u })).toHaveAttribute(
    'aria-current',
    'step',
  );
  const missing = window.getByText('archive_message has no description. No text by rules;');
  await window.getByText(/^Parameters \(/u).click();
  await window.getByLabel('message_id', { exact: true }).fill('The number of the message.');
  await expect(window.getByText('description of message_id', { exact: true })).toBeVisible();
  await expect(missing).toBeVisible();
  await window.getByRole('button', { name: 'Discard changes' }).click();
  await expect(missing).toBeHidden();
  await expect(advice).toBeVisible();
  await window.getByLabel('Description', { exact: true }).fill('Processes a message: files it.');
  await window.getByRole('button', { name: 'Estimate' }).click();
  await expect(
    window.getByText(/At the rate of the estimate, this candidate fixes/u),
  ).toBeVisible();
  await expect(window.getByRole('listitem').filter({ hasText: /^2Edit$/u })).toHaveAttribute(
    'aria-current',
    'step',
  );
  await expectAccessible(window);

  // An edit whose proof ends without a decision says how to get one.
  await window
    .getByLabel('Description', { exact: true })
    .fill('Processes a message. Use it when a request says "inbox".');
  await window.getByRole('button', { name: 'Estimate' }).click();
  await expect(
    window.getByRole('heading', { level: 1, name: /this candidate fixes an estimated 3$/u }),
  ).toBeVisible();
  await window.getByRole('button', { name: /^Prove on \d+ cases/u }).click();
  await window.getByRole('button', { name: 'Prove now' }).click();
  const proof = window.getByRole('region', { name: 'Proof' });
  await expect(proof.getByRole('heading', { name: 'Undecided' })).toBeVisible();
  await expectAccessible(window);
  await expect(
    proof.getByRole('link', { name: 'Search for better descriptions of all tools' }),
  ).toBeVisible();
  await proof.getByRole('button', { name: 'Add cases for archive_message' }).click();
  await expect(window).toHaveURL(/\/suites\/[^/]+\?add=mail%3Aarchive_message&return=/u);
  await expectLoaded(window);

  // The runs say what they are, and of which evaluation.
  await window.goBack();
  await proof.getByRole('link', { name: 'Runs of this proof' }).click();
  await expect(window.getByText('Candidate', { exact: true })).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('link', { name: '#1', exact: true }).click();
  await expect(window.getByText('Candidate', { exact: true })).toBeHidden();
});

test('says what to do where an evaluation or a tool is missing', async ({ window }) => {
  await visit(window, 'tools/nowhere/nothing/edit');
  await expect(window.getByText('No server and no result offers this tool.')).toBeVisible();
  await expect(window.getByRole('link', { name: 'Choose a tool' })).toBeVisible();
});
