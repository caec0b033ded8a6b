import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordDiskSteps, writeState, type DiskState } from '../../testing/diskSteps.ts';
import { seededRandom } from '../../testing/seededRandom.ts';
import { inTestOrSoak } from '../../testing/soak.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { readMigrations } from '../database/migrationFiles.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';
import { listBackups } from './backupFiles.ts';
import { restoreBackup } from './restore.ts';

let folder: TemporaryFolder;
let workspace: string;
let file: string;
let migrations: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  workspace = join(folder.path, 'workspace');
  file = join(workspace, 'touchstone.sqlite');
  migrations = join(folder.path, 'migrations');
  mkdirSync(workspace);
  cpSync(realMigrationsFolder, migrations, { recursive: true });
});
afterEach(() => folder.remove());

const clock = tickingClock();
const newest = readMigrations(realMigrationsFolder).at(-1)?.id ?? 0;
const open = (at = file) =>
  openDatabase({ file: at, migrationsFolder: migrations, clock, access: 'write' });

function save(...keys: string[]): void {
  const db = open();
  put(db, keys);
  db.close();
}

function put(db: ReturnType<typeof open>, keys: readonly string[]): void {
  const store = openStore(db, { clock, nextId: () => 'id' });
  for (const key of keys) store.transaction(() => store.settings.mark(key));
}

function addMigrations(): void {
  for (const id of [newest + 1, newest + 2])
    writeFileSync(
      join(migrations, `${String(id).padStart(4, '0')}-level.sql`),
      `INSERT INTO settings VALUES ('mark:level ${id}', 'true');`,
    );
}

/** Opens a state as the next start of the program does, and returns what is saved in it. */
function reopen(state: DiskState, index: number): string {
  const place = join(folder.path, `state-${index}`);
  writeState(place, state);
  const at = join(place, 'touchstone.sqlite');
  const db = open(at);
  const saved = db
    .prepare<[], string>("SELECT substr(key, 6) FROM settings WHERE key LIKE 'mark:%' ORDER BY 1")
    .pluck()
    .all();
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('user_version', { simple: true })).toBe(readMigrations(migrations).at(-1)?.id);
  db.close();
  const left = readdirSync(place).filter(
    (name) => !/^(backups|damaged-.*|replaced-.*)$/.test(name),
  );
  expect(left.sort()).toEqual(
    ['', '.checksums', '.has-data'].map((suffix) => `touchstone.sqlite${suffix}`),
  );
  rmSync(place, { recursive: true });
  return saved.join(' ');
}

/**
 * Reopens the first state, the last one, and some between them, which differ from run to run; in a
 * soak all of them. Each holds what one of the steps saved, and they come in that order.
 */
function expectSaved(states: readonly DiskState[], steps: readonly string[]): void {
  const random = seededRandom('disk steps');
  const count = inTestOrSoak('states of a workspace, reopened', 3, states.length);
  const between = Array.from({ length: count }, (_, index) =>
    count === states.length ? index : random.integer(states.length),
  );
  const sample = [...new Set([0, ...between, states.length - 1])].sort((a, b) => a - b);
  let at = 0;
  for (const index of sample) {
    const saved = reopen(states[index] ?? new Map(), index);
    while (at < steps.length - 1 && steps[at] !== saved) at += 1;
    expect(saved, `step ${index} of ${states.length}`).toBe(steps[at]);
  }
  expect(at).toBe(steps.length - 1);
}

test('T49: opens a new workspace that was killed at any step of its creation', () => {
  const states = recordDiskSteps(workspace, () => open().close());
  expect(states.length).toBeGreaterThan(15);
  expectSaved(states, ['']);
});

test('T49: keeps what was saved when killed at any step of opening, saving and closing', () => {
  save('first');
  const states = recordDiskSteps(workspace, () => save('second', 'third'));
  expect(states.length).toBeGreaterThan(10);
  expectSaved(states, ['first', 'first second', 'first second third']);
});

/** As a window opens a large file, whose pages are checked while it is in use, or not at all. */
function saveUnread(before: string, after?: string): void {
  const db = openDatabase({
    ...{ file, migrationsFolder: migrations, clock, access: 'write', maxUnread: 0 },
  });
  put(db, [before]);
  if (after !== undefined) {
    db.session.checkNow();
    put(db, [after]);
  }
  db.close();
}

test('T49: keeps what was saved when killed at any step before and after a file is checked', () => {
  save('first');
  const states = recordDiskSteps(workspace, () => saveUnread('second', 'third'));
  expect(states.length).toBeGreaterThan(10);
  expectSaved(states, ['first', 'first second', 'first second third']);
});

test('T51: finds a damaged page that was saved again after a kill at any step before the check', () => {
  save('first');
  const bytes = readFileSync(file);
  bytes.write('F', bytes.indexOf('mark:first') + 'mark:'.length);
  writeFileSync(file, bytes);
  const states = recordDiskSteps(workspace, () => saveUnread('second'));
  expect(states.length).toBeGreaterThan(5);
  for (const [index, state] of states.entries()) {
    const place = join(folder.path, `state-${index}`);
    writeState(place, state);
    expect(() => open(join(place, 'touchstone.sqlite')), `step ${index}`).toThrow(
      /differs from its checksum/,
    );
    rmSync(place, { recursive: true });
  }
});

test('T53: keeps what was saved when killed at any step of a backup and its migrations', () => {
  save('first');
  addMigrations();
  const states = recordDiskSteps(workspace, () => open().close());
  expect(states.length).toBeGreaterThan(20);
  expectSaved(states, [`first level ${newest + 1} level ${newest + 2}`]);
});

test('T51: is the old database or the backup when killed at any step of restoring one', () => {
  save('first');
  addMigrations();
  save('second');
  const [backup = ''] = listBackups(file);
  const levels = `level ${newest + 1} level ${newest + 2}`;
  const states = recordDiskSteps(workspace, () => {
    restoreBackup({ file, backup, migrationsFolder: migrations, clock });
    open().close();
  });
  expect(states.length).toBeGreaterThan(20);
  expectSaved(states, [`first ${levels} second`, `first ${levels}`]);
});

test('T51: recovers a backup without a journal that was copied over a crashed workspace', () => {
  save('first');
  const source = new Sqlite(file, { readonly: true });
  const backup = join(folder.path, 'old.sqlite');
  source.prepare('VACUUM INTO ?').run(backup);
  source.close();
  const old = new Sqlite(backup);
  expect(old.pragma('journal_mode', { simple: true })).toBe('delete');
  old.pragma('application_id = 0');
  old.close();
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  const crashed = recordDiskSteps(workspace, () => save('second')).find((state) =>
    state.has('touchstone.sqlite.in-use'),
  );
  rmSync(workspace, { recursive: true });
  writeState(workspace, crashed ?? new Map());
  cpSync(backup, file);
  const states = recordDiskSteps(workspace, () => open().close());
  expect(states.length).toBeGreaterThan(15);
  expectSaved(states, ['first']);
});
