import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startIntegrityCheck } from '../../services/settings/integrityCheck.ts';
import { fillEvaluations } from '../../testing/fillEvaluations.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';
import { recordedJournal } from './journal.ts';
import { exportReadable } from './salvage.ts';

let folder: TemporaryFolder;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'touchstone.sqlite');
  const { db, store } = open({ behind: false });
  store.transaction(() => {
    const put = db.prepare('INSERT INTO settings VALUES (?, ?)');
    for (let row = 0; row < 400; row += 1) put.run(`key ${row}`, JSON.stringify('v'.repeat(900)));
  });
  db.close();
});
afterEach(() => folder.remove());

const clock = tickingClock();

/** A session as a window opens a large workspace: what is behind waits for `check`. */
function open({ behind }: { behind: boolean }) {
  const db = openDatabase({
    ...{ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' },
    ...(behind ? { maxUnread: 0 } : {}),
  });
  const store = openStore(db, { clock, nextId: countingIds() });
  const logged: string[] = [];
  const log = { info: () => undefined, error: (line: string) => void logged.push(line) };
  const parts = { db, session: db.session, store, migrationsFolder: realMigrationsFolder, clock };
  const check = () => startIntegrityCheck({ ...parts, log });
  return { db, store, check, logged };
}

/** Flips a bit of the text of a row, which only its page's checksum shows. */
function damage(key: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(`${key}"vvv`) + key.length + 20;
  const handle = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  writeSync(handle, Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
  closeSync(handle);
}

const rewriteRow = (db: Sqlite.Database, key: string) =>
  db.prepare("UPDATE settings SET value = value || ' ' WHERE key = ?").run(key);

test('moves nothing into a file that is still to be checked, however much is saved', async () => {
  const before = readFileSync(file);
  const { db, store, check } = open({ behind: true });
  expect(db.session.isChecked).toBe(false);
  for (let part = 0; part < 3; part += 1)
    store.transaction(() => {
      const put = db.prepare('INSERT INTO settings VALUES (?, ?)');
      for (let row = 0; row < 600; row += 1)
        put.run(`more ${part} ${row}`, JSON.stringify('w'.repeat(4000)));
    });
  expect(readFileSync(file).equals(before)).toBe(true);
  await check().done;
  expect(db.session).toMatchObject({ isChecked: true, damage: null });
  expect(recordedJournal(file)?.uncheckedFrom).toBeNull();
  // The checkpoint has turns of the event loop for itself.
  await expect.poll(() => readFileSync(file).length).toBeGreaterThan(before.length);
  db.close();
  open({ behind: false }).db.close();
});

test('T51: refuses further writes once a page is found damaged behind the screen', async () => {
  damage('key 200');
  const before = readFileSync(file);
  const { db, store, check, logged } = open({ behind: true });
  store.settings.mark('saved meanwhile');
  await check().done;
  expect(logged).toEqual([
    expect.stringMatching(
      /touchstone\.sqlite.*page [\d,]+ of [\d,]+ differs.*no longer writes.*Close Touchstone.*touchstone salvage.*If you changed it with another program, delete .*checksums/,
    ),
  ]);
  expect(store.damage?.message).toBe(logged[0]);
  expect(() => store.settings.mark('more')).toThrow(/no longer writes to it/);
  db.close();
  expect(readFileSync(file).equals(before)).toBe(true);
  const salvaged = join(folder.path, 'salvaged');
  expect(exportReadable(file, salvaged).missing).toEqual([
    expect.stringMatching(/^The database is damaged: page/),
  ]);
  expect(readFileSync(join(salvaged, 'settings.jsonl'), 'utf8')).toContain('saved meanwhile');
});

test.each([
  ['closed before the check', false],
  ['checked and refused', true],
])(
  'T51: a damaged page that a session has rewritten in its journal is found again: %s',
  async (_, checked) => {
    damage('key 200');
    const { db, check } = open({ behind: true });
    rewriteRow(db, 'key 200');
    db.session.afterCommit();
    if (checked) await check().done;
    db.close();
    for (const behind of [true, true, false]) {
      if (!behind) expect(() => open({ behind })).toThrow(/differs from its checksum/);
      else {
        const again = open({ behind });
        rewriteRow(again.db, 'key 200');
        again.db.session.afterCommit();
        await again.check().done;
        expect(again.db.session.damage?.message).toMatch(/differs from its checksum/);
        again.db.close();
      }
    }
  },
);

test('keeps what was saved before a session ended that was never checked', async () => {
  const first = open({ behind: true });
  first.store.settings.mark('first');
  first.db.close();
  const second = open({ behind: true });
  second.store.settings.mark('second');
  second.db.close();
  const { db, store, check } = open({ behind: true });
  await check().done;
  db.close();
  expect(recordedJournal(file)).toBeNull();
  const checked = open({ behind: false });
  expect(['first', 'second'].map((key) => checked.store.settings.isMarked(key))).toEqual([
    true,
    true,
  ]);
  expect(store.damage).toBeNull();
  checked.db.close();
});

test('T51: what SQLite finds behind the screen ends writing as well', async () => {
  const { db: writer } = open({ behind: false });
  writer.unsafeMode(true);
  writer.pragma('writable_schema = ON');
  // Its root lies on a page of another table: each page is as it was written.
  writer.exec(
    "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'settings') WHERE name = 'suites'",
  );
  writer.close();
  const { db, check, store } = open({ behind: true });
  await check().done;
  expect(store.damage?.message).toMatch(
    /Its content is damaged \([^)]*reference to page[^)]*\)\. Touchstone no longer/,
  );
  expect(store.damage?.message).not.toContain('another program');
  db.close();
  expect(() => open({ behind: false })).toThrow(/Its content is damaged/);
});

test('deletes nothing behind the start of what was removed before the file is checked', async () => {
  const { db: first, store: earlier } = open({ behind: false });
  const [gone = ''] = fillEvaluations(first, earlier, { evaluations: 1, casesEach: 5 });
  earlier.evaluations.setDeleted(gone, clock.now());
  first.close();
  const { db, store, check } = open({ behind: true });
  store.evaluations.giveUpRemoved();
  expect(store.evaluations.purge()).toBe(false);
  expect(db.prepare('SELECT count(*) FROM evaluations').pluck().get()).toBe(1);
  await check().done;
  while (store.evaluations.purge());
  expect(db.prepare('SELECT count(*) FROM evaluations').pluck().get()).toBe(0);
  db.close();
});

test('checks a large file at once where a caller can’t wait for it', () => {
  damage('key 200');
  const { db } = open({ behind: true });
  db.session.checkNow();
  expect(db.session.damage?.message).toMatch(/differs from its checksum/);
  db.close();
  damage('key 200');
  const sound = open({ behind: true });
  sound.db.session.checkNow();
  expect(sound.db.session).toMatchObject({ isChecked: true, damage: null });
  sound.db.close();
});

test('reads a file that has something to migrate as a whole before it is opened', () => {
  damage('key 200');
  const later = join(folder.path, 'migrations');
  cpSync(realMigrationsFolder, later, { recursive: true });
  writeFileSync(join(later, '9999-later.sql'), 'CREATE TABLE later (id TEXT) STRICT;');
  expect(() =>
    openDatabase({ file, migrationsFolder: later, clock, access: 'write', maxUnread: 0 }),
  ).toThrow(/differs from its checksum/);
});
