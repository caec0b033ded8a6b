import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { newDatabases, openDatabase, openTemporaryDatabase } from './openDatabase.ts';
import { copyAside, exportReadable } from '../durability/salvage.ts';
import { assertSafeSqlite } from './sqliteVersion.ts';
import { openStore } from '../store.ts';

// What a new database goes through is what is tested here.
const { copyTo } = newDatabases;
beforeAll(() => void (newDatabases.copyTo = null));
afterAll(() => void (newDatabases.copyTo = copyTo));

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
const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

function addCases(db: ReturnType<typeof open>, count: number): void {
  const store = openStore(db, { clock, nextId: countingIds(`at-${clock.now()}`) });
  const suite =
    store.suites.getByName('S') ??
    store.suites.insert({ name: 'S', system: null, messages: [], servers: [] });
  store.testCases.insertMany(
    suite.id,
    Array.from({ length: count }, (_, index) => ({
      key: `${clock.now()} ${index}`,
      name: `case ${index}`,
      query: 'q'.repeat(400),
      tags: [],
      servers: [],
      stubResults: [],
      expectedCalls: [],
      orderDependent: false,
      allowedCalls: [],
    })),
  );
}

function fill(count = 200): void {
  const db = open();
  addCases(db, count);
  db.close();
}

/** The files as a killed process leaves them: committed rows stand in the journal. */
function crash(count = 200): void {
  const db = open();
  addCases(db, count);
  const files = readdirSync(folder.path);
  const kept = join(folder.path, 'kept');
  mkdirSync(kept);
  for (const name of files) copyFileSync(join(folder.path, name), join(kept, name));
  db.close();
  for (const name of files) copyFileSync(join(kept, name), join(folder.path, name));
  rmSync(kept, { recursive: true });
}

function trouble(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

/**
 * Opening must be refused twice (the first refusal must not repair anything), with the database
 * unchanged, byte for byte.
 */
function expectRefused(cause: RegExp): ServiceError {
  const paths = [file, `${file}-wal`].filter(
    (path) => existsSync(path) && statSync(path).isFile() && statSync(path).size > 0,
  );
  const before = paths.map(hash);
  const there = existsSync(file);
  const errors = [trouble(open), trouble(open)];
  for (const error of errors) {
    expect(error.code).toBe('TROUBLE');
    expect(error.data.thing).toBe(`The database ${file}`);
    expect(error.data.cause).toMatch(cause);
    expect(error.data.nextStep).toMatch(/\w{4}.*\./);
  }
  expect(existsSync(file)).toBe(there);
  expect(paths.map(hash)).toEqual(before);
  const [first] = errors;
  if (!first) throw new Error('It was not refused.');
  return first;
}

test('T55: applies the connection settings at every open, for writing and reading', () => {
  fill(1);
  for (const access of ['write', 'read'] as const) {
    const db = openDatabase({ ...options(), access, busyTimeoutMs: 1234 });
    const pragma = (name: string) => db.pragma(name, { simple: true });
    expect([
      pragma('journal_mode'),
      pragma('synchronous'),
      pragma('foreign_keys'),
      pragma('busy_timeout'),
      pragma('trusted_schema'),
      pragma('cell_size_check'),
    ]).toEqual(['wal', 2, 1, 1234, 0, 1]);
    db.close();
  }
});

test('T55: refuses SQLite versions that can damage databases', () => {
  for (const version of ['3.7.0', '3.50.9', '3.51.2', '3.52.0'])
    expect(() => assertSafeSqlite(version), version).toThrow(version);
  for (const version of ['3.51.3', '3.52.1', '3.54.1', '4.0.0'])
    expect(() => assertSafeSqlite(version), version).not.toThrow();
  const db = open();
  expect(openStore(db, { clock, nextId: () => 'x' }).sqliteVersion).toBe(
    new Sqlite(':memory:').prepare('SELECT sqlite_version()').pluck().get(),
  );
  db.close();
});

test('leaves only private database files and can be closed twice', () => {
  const db = open();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  db.close();
  db.close();
  expect(readdirSync(folder.path).sort()).toEqual([
    basename(file),
    `${basename(file)}.checksums`,
    `${basename(file)}.has-data`,
  ]);
  const again = open();
  addCases(again, 3);
  expect(again.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBe(3);
  again.close();
});

test('T51: refuses a text file and names the newest backup', () => {
  writeFileSync(file, 'dear diary, '.repeat(1000));
  const cause = /SQLite database: it begins with "dear diary/;
  expect(expectRefused(cause).data.nextStep).toContain('There is no backup yet.');
  const backups = ['0010-2026-02', '0020-2026-01'].map((stem) =>
    join(folder.path, 'backups', `touchstone-${stem}.sqlite`),
  );
  mkdirSync(join(folder.path, 'backups'));
  for (const backup of backups) writeFileSync(backup, '');
  expect(expectRefused(cause).data.nextStep).toContain(
    `restore\` brings back the newest backup (${backups[1]})`,
  );
});

test('T51: refuses a truncated database and leaves it unchanged', () => {
  fill();
  truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096);
  expectRefused(/damaged/);
  truncateSync(file, 50);
  expectRefused(/damaged/);
});

test('T51: refuses a database with a damaged page', () => {
  fill();
  const root = smashTestCases();
  expectRefused(/damaged/);
  expect(root).toBeGreaterThan(1);
});

test('T51: refuses an emptied database', () => {
  fill();
  truncateSync(file, 0);
  expectRefused(/empty.*has-data/);
  expect(statSync(file).size).toBe(0);
});

test('T51: refuses to replace a missing database by a new one', () => {
  fill();
  rmSync(file);
  expectRefused(/missing.*has-data/);
});

test('T51: refuses a new, empty database in the place of the old one', () => {
  fill();
  rmSync(file);
  const other = new Sqlite(file);
  other.pragma('journal_mode = WAL');
  other.pragma('user_version = 0');
  other.close();
  expectRefused(/no table.*has-data/);
});

test('T51: says that a folder is in the place of the database', () => {
  mkdirSync(file);
  expectRefused(/folder, not a file/);
});

test('T51: refuses a journal from another database', () => {
  fill();
  const otherFile = join(folder.path, 'other.sqlite');
  const other = new Sqlite(otherFile);
  other.pragma('journal_mode = WAL');
  other.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  copyFileSync(`${otherFile}-wal`, `${file}-wal`);
  other.close();
  expectRefused(/journal .*-walnext to it was not written by its last session/);
  rmSync(`${file}-wal`);
  open().close();
});

test('T51: refuses a journal from another session after a crash', () => {
  crash();
  const journal = readFileSync(`${file}-wal`);
  open().close();
  crash();
  writeFileSync(`${file}-wal`, journal);
  expectRefused(/was not written by its last session/);
  writeFileSync(`${file}-wal`, 'no journal at all, but long enough to look like one');
  expectRefused(/was not written by its last session/);
});

test('T51: reports a missing journal after a crash', () => {
  fill(10);
  crash(300);
  rmSync(`${file}-wal`);
  rmSync(`${file}-shm`);
  const { data } = expectRefused(/journal .* missing/);
  expect(data.nextStep).toContain(`${file}.in-use`);
  rmSync(`${file}.in-use`);
  const db = open();
  expect(db.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBe(10);
  db.close();
});

test('T51: reads the journal of a crashed session', () => {
  fill(10);
  crash(300);
  const db = open();
  expect(db.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBe(310);
  db.close();
  open().close();
});

test('T51: still reads the journal after a failed start that followed a crash', () => {
  crash(300);
  const failing = join(folder.path, 'migrations');
  cpSync(realMigrationsFolder, failing, { recursive: true });
  writeFileSync(join(failing, '9999-failing.sql'), 'SELECT no_such_function();');
  expect(() => openDatabase({ ...options(), migrationsFolder: failing, access: 'write' })).toThrow(
    /no_such_function/,
  );
  const db = open();
  expect(db.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBe(300);
  db.close();
});

test('T51: refuses an index that differs from its table after a crash', () => {
  fill();
  const db = open();
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  db.exec(
    `UPDATE sqlite_schema SET sql = 'CREATE INDEX test_cases_expected_tool ON test_cases (name)' WHERE name = 'test_cases_expected_tool'`,
  );
  db.close();
  expect(() => open().close()).not.toThrow();
  crash(1);
  expectRefused(/damaged \(.*test_cases_expected_tool/);
});

test('opens a workspace that a process left without closing', async () => {
  const { startLineChild } = await import('../../testing/lineChild.ts');
  const program = join(folder.path, 'leaves.ts');
  const module = new URL('./openDatabase.ts', import.meta.url).href;
  const asked = JSON.stringify({ file, migrationsFolder: realMigrationsFolder, access: 'write' });
  writeFileSync(
    program,
    `import { openDatabase } from ${JSON.stringify(module)};\nopenDatabase({ ...${asked}, clock: { now: () => new Date().toISOString() } });\nprocess.exit(3);\n`,
  );
  await using child = startLineChild(program, []);
  expect(await child.ended).toBe(3);
  expect(readdirSync(folder.path).sort()).toEqual([
    'leaves.ts',
    basename(file),
    `${basename(file)}.checksums`,
    `${basename(file)}.has-data`,
  ]);
  open().close();
});

test('opens again after a reader outlived the writer', () => {
  const writer = open();
  const reader = openDatabase({ ...options(), access: 'read' });
  const rows = reader.prepare('SELECT count(*) FROM test_cases').pluck();
  expect(rows.get()).toBe(0);
  addCases(writer, 5);
  writer.close();
  expect(rows.get()).toBe(5);
  const again = open();
  addCases(again, 5);
  expect(rows.get()).toBe(10);
  reader.close();
  again.close();
  open().close();
});

test('never creates or changes a workspace that is opened for reading', () => {
  const read = () => openDatabase({ ...options(), access: 'read' });
  expect(trouble(read)).toMatchObject({
    code: 'NOT_FOUND',
    data: { thing: `The database ${file}` },
  });
  expect(readdirSync(folder.path)).toEqual([]);
  fill(2);
  const before = hash(file);
  const db = read();
  const store = openStore(db, { clock, nextId: countingIds() });
  expect(store.suites.list()).toMatchObject([{ name: 'S', caseCount: 2 }]);
  expect(() => store.suites.insert({ name: 'T', system: null, messages: [], servers: [] })).toThrow(
    expect.objectContaining({ code: 'READ_ONLY' }),
  );
  db.close();
  expect(hash(file)).toBe(before);
  open().close();
});

test('T51: exports what is readable of a damaged database and leaves it unchanged', () => {
  fill();
  smashTestCases();
  const before = hash(file);
  const copy = copyAside(file, clock);
  expect(hash(join(copy, basename(file)))).toBe(before);
  expect(existsSync(join(copy, `${basename(file)}.has-data`))).toBe(true);

  const target = join(folder.path, 'export');
  const { tables, missing } = exportReadable(file, target);
  expect(missing).toEqual([expect.stringContaining('differs from its checksum')]);
  expect(tables.find(({ table }) => table === 'suites')).toEqual({
    table: 'suites',
    rows: 1,
    error: null,
  });
  expect(tables.find(({ table }) => table === 'test_cases')).toMatchObject({
    error: expect.stringContaining('malformed'),
  });
  expect(JSON.parse(readFileSync(join(target, 'suites.jsonl'), 'utf8'))).toMatchObject({
    name: 'S',
  });
  expect(hash(file)).toBe(before);
  expect(readdirSync(target).filter((name) => name.startsWith('.'))).toEqual([]);

  writeFileSync(file, 'not a database');
  expect(trouble(() => exportReadable(file, join(folder.path, 'none')))).toMatchObject({
    code: 'TROUBLE',
  });
});

test('exports the rows in the journal of a sound database too', () => {
  fill(10);
  crash(5);
  expect(exportReadable(file, join(folder.path, 'export'))).toMatchObject({
    missing: [],
    tables: expect.arrayContaining([{ table: 'test_cases', rows: 15, error: null }]) as unknown,
  });
  expect(existsSync(`${file}.in-use`)).toBe(true);
});

/** Overwrites a page that holds cases, in the middle of the table; returns its number. */
function smashTestCases(): number {
  const db = new Sqlite(file, { readonly: true });
  const page = Number(
    db
      .prepare(
        "SELECT pageno FROM dbstat WHERE name = 'test_cases' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 3",
      )
      .pluck()
      .get(),
  );
  db.close();
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  const bytes = readFileSync(file);
  bytes.fill(0xff, (page - 1) * 4096, page * 4096);
  writeFileSync(file, bytes);
  return page;
}

test('a temporary database has the same schema, from an empty one or by its migrations', () => {
  const schemaOf = (db: Sqlite.Database) => ({
    objects: db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
    migrations: db.prepare('SELECT id, name, sha256 FROM schema_migrations ORDER BY id').all(),
    version: db.pragma('user_version', { simple: true }),
  });
  const whole = open();
  const expected = schemaOf(whole);
  whole.close();
  const empty = join(folder.path, 'empty.sqlite');
  for (const [name, from] of [
    ['migrated', null],
    ['copied', empty],
  ] as const) {
    const temporary = join(folder.path, name);
    const db = openTemporaryDatabase({ ...options(), file: temporary, empty: from });
    expect(schemaOf(db)).toEqual(expected);
    if (from === null) writeFileSync(empty, db.serialize());
    addCases(db, 3);
    expect(db.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBe(3);
    db.close();
    expect(readdirSync(folder.path).filter((each) => each.startsWith(name))).toEqual([name]);
  }
});
