import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaries, writePlain } from '../src-main/testing/plainWorkspace.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';
import { launchLoopback } from './launchLoopback.ts';
import { copySample } from './sampleWorkspace.ts';

const key = 'sk-canary-of-the-window-0123456789';
const passphrase = 'correct horse battery';

test('keeps keys in an encrypted file that is locked after a restart', async ({ chromium }) => {
  const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-keys-'));
  await copySample(workspace);
  const first = await launchLoopback({ workspace });
  const context = await chromium.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(first.url);
  await page.getByRole('navigation').first().waitFor();
  await visit(page, 'settings');
  const section = page.locator('#keys');
  await expect(section).toContainText('Keys stay in memory until Touchstone closes');
  await section.getByRole('button', { name: 'Use an encrypted file' }).click();
  const [next, again] = [
    section.getByLabel('New passphrase', { exact: true }),
    section.getByLabel('Repeat new passphrase'),
  ];
  await next.fill('short');
  await expect(section).toContainText('A passphrase has at least 8 characters.');
  await next.fill(passphrase);
  await again.fill('another one');
  await expect(section).toContainText('The passphrases don’t match.');
  await expect(section.getByRole('button', { name: 'Turn on' })).toBeDisabled();
  await again.fill(passphrase);
  await expectAccessible(page);
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section).toContainText('Keys are kept in an encrypted file in this workspace');
  await section.getByLabel('Key of OpenAI', { exact: true }).fill(key);
  await section.getByRole('button', { name: 'Set the key of OpenAI' }).click();
  await expect(section).toContainText('in the file');
  first.signal('SIGTERM');
  await first.exited;
  const bytes = await readFile(join(workspace, 'touchstone.keys'), 'utf8');
  expect(bytes).not.toContain(key);

  const second = await launchLoopback({ workspace });
  await page.goto(second.url);
  await page.getByRole('navigation').first().waitFor();
  await visit(page, 'settings');
  await expect(section).toContainText('The key file is locked.');
  await expect(section).not.toContainText('in the file');
  await section.getByLabel('Passphrase', { exact: true }).fill('wrong passphrase');
  await section.getByRole('button', { name: 'Unlock' }).click();
  await expect(section.getByRole('alert')).toContainText('The passphrase is wrong.');
  await expectAccessible(page);
  await section.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await section.getByRole('button', { name: 'Unlock' }).click();
  await expect(section).toContainText('in the file');
  await section.getByRole('button', { name: 'Turn off the file' }).click();
  await section.getByRole('button', { name: 'Keep keys in memory' }).click();
  await expect(section).toContainText('in memory');
  await context.close();
  await second.close();
  await rm(workspace, { recursive: true, force: true });
});

test('says over the servers that credentials are readable, and moves them once a file keeps them', async ({
  chromium,
}) => {
  const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-plain-'));
  writePlain(workspace);
  const host = await launchLoopback({ workspace });
  const context = await chromium.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(host.url);
  await page.getByRole('navigation').first().waitFor();
  await visit(page, 'tools');
  const note = page.getByRole('note').filter({ hasText: 'credentials' });
  await expect(note).toHaveText(
    '4 credentials of 2 servers (local, remote) are readable in the database. There is no ' +
      'keychain and no encrypted file that keeps them. Turn on the encrypted file of keys, and ' +
      'Touchstone moves them there.',
  );
  await visit(page, 'settings');
  const section = page.locator('#keys');
  await section.getByRole('button', { name: 'Use an encrypted file' }).click();
  await section.getByLabel('New passphrase', { exact: true }).fill(passphrase);
  await section.getByLabel('Repeat new passphrase').fill(passphrase);
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section).toContainText('Keys are kept in an encrypted file in this workspace');
  await visit(page, 'tools');
  await expect(note).toContainText(
    '4 credentials of 2 servers (local, remote) were readable in the database and are in the key ' +
      'store now. If anyone else has a copy of the database, replace them where they are valid.',
  );
  await expectAccessible(page);
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1440, 1024]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      expect(await horizontalOverflow(page)).toBe(0);
      const [above, below] = [
        await note.boundingBox(),
        await page.getByRole('region', { name: 'Servers' }).boundingBox(),
      ];
      expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThanOrEqual(8);
    }
  await context.close();
  await host.close();
  for (const name of await readdir(workspace, { recursive: true })) {
    const bytes = await readFile(join(workspace, name)).catch(() => Buffer.alloc(0));
    expect(
      canaries.filter((canary) => bytes.includes(canary)),
      name,
    ).toEqual([]);
  }
  await rm(workspace, { recursive: true, force: true });
});
