import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { applicationIds } from '../database/fileKind.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';

let folder: TemporaryFolder;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'touchstone.sqlite');
});
afterEach(() => folder.remove());

const clock = tickingClock();
const options = () => ({ file, migrationsFolder: realMigrationsFolder, clock });
const open = () => openDatabase({ ...options(), access: 'write' });
const journal = () => `${file}-journal`;

function fill(): void {
  const db = open();
  const store = openStore(db, { clock, nextId: countingIds() });
  store.transaction(() => {
    for (let index = 0; index < 300; index += 1) store.settings.mark(`row ${index}`);
  });
  db.close();
}

const countRows = (db: Sqlite.Database) =>
  db.prepare("SELECT count(*) FROM settings WHERE value = 'true'").pluck().get();

/**
 * The workspace as a process leaves it that writes without a write-ahead journal, as to a backup of
 * an earlier version, and is killed after a part of the pages was written.
 */
function killWhileWriting(): void {
  fill();
  const db = new Sqlite(file);
  db.pragma('journal_mode = DELETE');
  db.pragma('application_id = 0');
  db.pragma('cache_size = 1');
  db.exec("BEGIN; UPDATE settings SET value = json_quote(printf('%.*c', 3000, 'x'))");
  const left = [file, journal()].map((path) => [path, readFileSync(path)] as const);
  db.close();
  for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
  for (const [path, bytes] of left) writeFileSync(path, bytes);
}

test('T51: takes an interrupted write back and opens the workspace', () => {
  killWhileWriting();
  expect(() => openDatabase({ ...options(), access: 'read' })).toThrow(
    /was killed.*Start Touchstone once with this workspace/,
  );
  const db = open();
  expect(countRows(db)).toBe(300);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
  expect(readdirSync(folder.path).sort()).toEqual(
    ['', '.checksums', '.has-data'].map((suffix) => `touchstone.sqlite${suffix}`),
  );
});

test('T51: refuses a journal that makes the database unsound and changes neither', () => {
  killWhileWriting();
  const bytes = readFileSync(journal());
  fill();
  const other = new Sqlite(file);
  other.pragma('journal_mode = DELETE');
  other.exec('DROP TABLE settings; VACUUM');
  other.close();
  writeFileSync(journal(), bytes);
  const database = readFileSync(file);
  expect(open).toThrow(/A write to it was interrupted, .*-journal .*move it away and start again/);
  expect(readFileSync(file).equals(database)).toBe(true);
  expect(readFileSync(journal()).equals(bytes)).toBe(true);
  expect(existsSync(`${file}.recovery`)).toBe(false);
});

test('T51: keeps the journal of the database before when a backup replaces it', () => {
  killWhileWriting();
  const left = readFileSync(journal());
  const bytes = readFileSync(file);
  open().close();
  const db = open();
  const backup = join(folder.path, 'backup.sqlite');
  db.prepare('VACUUM INTO ?').run(backup);
  db.close();
  const mark = new Sqlite(backup);
  mark.pragma('journal_mode = WAL');
  mark.pragma(`application_id = ${applicationIds.backup}`);
  mark.close();
  writeFileSync(file, readFileSync(backup));
  writeFileSync(journal(), left);
  const restored = open();
  expect(countRows(restored)).toBe(300);
  restored.close();
  const aside = readdirSync(folder.path).find((name) => name.startsWith('replaced-')) ?? '';
  expect(readdirSync(join(folder.path, aside))).toEqual(['touchstone.sqlite-journal']);
  expect(bytes.length).toBeGreaterThan(0);
});

test('T51: says that a folder is in the place of the journal', () => {
  fill();
  mkdirSync(journal());
  expect(open).toThrow(/-journal is in the place of its journal.*Move it away/);
});
