import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { startLineChild, type LineChild } from '../../testing/lineChild.ts';
import { fileSizeLimit, smallDisk } from '../../testing/smallDisk.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestDatabase, realMigrationsFolder } from '../../testing/testDatabase.ts';
import { asDiskTrouble } from './diskTrouble.ts';
import { readMigrations } from '../database/migrationFiles.ts';
import { testProgram } from '../../testing/testPrograms.ts';

const program = testProgram('src-main/testing/databaseChild.ts');
const caseOf = (key: string) => ({
  key,
  name: key,
  query: key.padEnd(5000, '.'),
  tags: [],
  servers: [],
  stubResults: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
});

/** What the child reports besides its acknowledgements. */
async function reports(child: LineChild): Promise<unknown[]> {
  const reported: unknown[] = [];
  for (let line = await child.nextLine(); line !== null; line = await child.nextLine())
    if (!line.startsWith('{"committed"')) reported.push(JSON.parse(line));
  expect(await child.ended).toBe(0);
  return reported;
}

test('T50: keeps its rows when the database can’t grow and says how to free space', () => {
  using at = createTestDatabase();
  const { store, db } = at;
  const { id } = store.suites.insert({ name: 'S', system: null, messages: [], servers: [] });
  const kept = store.testCases.insertMany(id, [caseOf('kept')]);
  const limit = Number(db.pragma('max_page_count', { simple: true }));
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 10}`);
  const fill = () =>
    store.testCases.insertMany(
      id,
      Array.from({ length: 50 }, (_, index) => caseOf(`more ${index}`)),
    );
  let trouble: unknown;
  try {
    fill();
  } catch (error) {
    trouble = error;
  }
  expect(trouble).toBeInstanceOf(ServiceError);
  expect(trouble).toMatchObject({ code: 'TROUBLE', data: { thing: `The database ${at.file}` } });
  expect(String(trouble)).toMatch(/no space left.*disk that holds .*\d+ KiB free.*Free some space/);
  expect(store.testCases.listBySuite(id)).toEqual(kept);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.pragma(`max_page_count = ${limit}`);
  expect(fill()).toHaveLength(50);
});

test('T50: survives a limit on file sizes with every acknowledged row', async ({ skip }) => {
  skip(fileSizeLimit.unavailable !== null, String(fileSizeLimit.unavailable));
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  await using child = startLineChild(
    program,
    ['fill-and-go-on', file, realMigrationsFolder],
    fileSizeLimit.under(2_000_000),
  );
  const [trouble, after] = await reports(child);
  expect(trouble).toMatchObject({
    code: 'TROUBLE',
    thing: `The database ${file}`,
    cause: expect.stringContaining(folder.path),
    nextStep: expect.stringContaining('free space'),
  });
  expect(after).toMatchObject({ rows: expect.any(Number), check: 'ok' });
  const db = new Sqlite(file, { readonly: true });
  expect(after).toEqual({
    rows: db.prepare('SELECT count(*) FROM test_cases').pluck().get(),
    check: 'ok',
  });
  db.close();
});

test('T50: recovers from a full disk during a write and during a migration', async ({ skip }) => {
  skip(smallDisk.unavailable !== null, String(smallDisk.unavailable));
  await using folder = await temporaryFolder();
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  const newest = readMigrations(realMigrationsFolder).at(-1)?.id ?? 0;
  const later = join(folder.path, 'migrations');
  cpSync(realMigrationsFolder, later, { recursive: true });
  writeFileSync(
    join(later, `${String(newest + 1).padStart(4, '0')}-later.sql`),
    'ALTER TABLE suites ADD COLUMN later TEXT;\nUPDATE test_cases SET query = query || query;\n',
  );
  const file = join(disk, 'touchstone.sqlite');
  await using child = startLineChild(
    program,
    ['full-disk', file, realMigrationsFolder, later],
    smallDisk.under(disk),
  );
  const [whileWriting, afterWriting, whileMigrating, unchanged, migrated] = await reports(child);
  const trouble = {
    code: 'TROUBLE',
    thing: `The database ${file}`,
    cause: expect.stringContaining(disk),
    nextStep: expect.stringMatching(/[Ff]ree/),
  };
  expect(whileWriting).toMatchObject(trouble);
  expect(afterWriting).toEqual({ suites: ['after', 'kept', 'written'], check: 'ok' });
  expect(whileMigrating).toMatchObject(trouble);
  expect(unchanged).toEqual({ unchanged: true });
  expect(migrated).toEqual({ version: newest + 1, kept: 8 });
});

test('T50: opens a workspace for reading on a full or read-only disk', async ({ skip }) => {
  skip(smallDisk.unavailable !== null, String(smallDisk.unavailable));
  await using folder = await temporaryFolder();
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  const child = testProgram('src-main/testing/unwritableChild.ts');
  await using reader = startLineChild(child, [disk], smallDisk.under(disk));
  const readOnly = { suites: ['kept'], refused: 'READ_ONLY' };
  expect(await reports(reader)).toEqual([
    { ...readOnly, unwritable: expect.stringMatching(/no space left.*Free some space/) },
    { suites: ['kept'], refused: null, unwritable: null },
    { mounted: 0 },
    {
      suites: ['kept', 'more'],
      refused: 'READ_ONLY',
      unwritable: expect.stringMatching(/can't be written to|can't be opened/),
    },
  ]);
});

test('T50: describes every disk failure and no other error as disk trouble', () => {
  const file = '/data/touchstone.sqlite';
  const codes = [
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_IOERR_FSYNC',
    'SQLITE_IOERR_READ',
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_CORRUPT',
    'SQLITE_CORRUPT_INDEX',
    'SQLITE_NOTADB',
    'SQLITE_READONLY',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_CANTOPEN',
  ];
  for (const code of codes) {
    const trouble = asDiskTrouble(new Sqlite.SqliteError('words', code), file);
    expect(trouble, code).toMatchObject({
      code: 'TROUBLE',
      data: {
        thing: `The database ${file}`,
        cause: expect.stringMatching(/.{20}/),
        nextStep: expect.stringMatching(/.{20}/),
      },
    });
  }
  expect(
    asDiskTrouble(Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' }), file)
      ?.code,
  ).toBe('TROUBLE');
  expect(asDiskTrouble(new Sqlite.SqliteError('no such table', 'SQLITE_ERROR'), file)).toBeNull();
  expect(
    asDiskTrouble(
      Object.assign(new Error('gone'), { code: 'ENOENT', syscall: 'open', path: '/elsewhere' }),
      file,
    ),
  ).toBeNull();
  expect(asDiskTrouble(new TypeError('ours'), file)).toBeNull();
});
