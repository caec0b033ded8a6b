import { readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { checksumFile, findDamage, readChecksums } from './pageChecksums.ts';

let at: TestDatabase;
beforeEach(() => (at = createTestDatabase()));
afterEach(() => at.close());

const frameBytes = 4096 + 24;

test('bounds the journal while much is written, and keeps every page as its checksum says', async () => {
  const { store, db, file } = at;
  const put = db.prepare('INSERT INTO settings VALUES (?, ?)');
  let longest = 0;
  const states = new Set<number>();
  for (let part = 0; part < 36; part += 1) {
    store.transaction(() => {
      for (let row = 0; row < 250; row += 1)
        put.run(`${part} ${row}`, JSON.stringify('w'.repeat(8000)));
    });
    // A large checkpoint has two turns of the event loop for itself.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    longest = Math.max(longest, statSync(`${file}-wal`).size / frameBytes);
    states.add(statSync(checksumFile(file)).mtimeMs);
  }
  // 36 commits of about 750 pages each.
  expect(longest).toBeLessThan(8_000 + 2 * 800);
  expect(states.size).toBeGreaterThan(2);
  db.close();
  const checksums = readChecksums(file);
  expect(checksums && findDamage(file, checksums, null)).toBeNull();
  expect(readFileSync(file).length).toBeGreaterThan(36 * 250 * 8000);
});
