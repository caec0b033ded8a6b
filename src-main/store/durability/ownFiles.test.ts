import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { backupFolder } from './backupFiles.ts';
import { removeUnfinished } from './ownFiles.ts';

it.each([
  ['the checksums', 'touchstone.sqlite.checksums.new', 0, false],
  ['a restored backup with its journal', 'touchstone.sqlite.restored.new-wal', 0, false],
  ['the keys, since a minute', 'touchstone.keys.new', 61, false],
  ['the keys, just now by another command', 'touchstone.keys.new', 1, true],
  ['the log, since a minute', 'touchstone.log.new', 61, false],
  ['a file of somebody else', 'mine.new', 9_999, true],
  ['a file that is complete', 'touchstone.keys', 9_999, true],
])('a start removes %s as a kill left it: %s, %i s, %s', async (_what, name, seconds, stays) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  const path = join(folder.path, name);
  writeFileSync(path, 'half');
  const written = Date.now() / 1000 - seconds;
  utimesSync(path, written, written);
  removeUnfinished(file);
  expect(existsSync(path)).toBe(stays);
});

it('a start removes the copy of a backup that was being rewritten, and no backup', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  mkdirSync(backupFolder(file), { recursive: true });
  const [backup, copy] = ['', '.new', '.new-wal'].map((end) =>
    join(backupFolder(file), `touchstone-0100-2026.sqlite${end}`),
  ) as [string, string];
  for (const path of [backup, copy]) writeFileSync(path, '');
  removeUnfinished(file);
  expect([backup, copy].map((path) => existsSync(path))).toEqual([true, false]);
});
