import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampled } from '../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from './openDatabase.ts';
import { readMigrations } from './migrationFiles.ts';

let folder: TemporaryFolder;
let file: string;
let migrations: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'touchstone.sqlite');
  migrations = join(folder.path, 'migrations');
  cpSync(realMigrationsFolder, migrations, { recursive: true });
});
afterEach(() => folder.remove());

const clock = tickingClock();
const newest = readMigrations(realMigrationsFolder).at(-1)?.id ?? 0;
const open = () => openDatabase({ file, migrationsFolder: migrations, clock, access: 'write' });
const hash = () => createHash('sha256').update(readFileSync(file)).digest('hex');
const write = (id: number, sql: string) =>
  writeFileSync(join(migrations, `${String(id).padStart(4, '0')}-later.sql`), sql);
const backups = () => readdirSync(join(folder.path, 'backups')).sort();

/** As another program changes it, with the step that then tells Touchstone so. */
function change(sql: string): void {
  const db = new Sqlite(file);
  db.exec(sql);
  db.close();
  rmSync(`${file}.checksums`, { force: true });
}

function removeDatabase(): void {
  for (const suffix of ['', '-wal', '-shm', '.has-data', '.in-use', '.between', '.checksums'])
    rmSync(file + suffix, { force: true });
  rmSync(join(folder.path, 'backups'), { recursive: true, force: true });
}

function schema(path = file): {
  version: unknown;
  applied: unknown[];
  tables: unknown[];
  settings: unknown[];
} {
  const db = new Sqlite(path, { readonly: true });
  const state = {
    version: db.pragma('user_version', { simple: true }),
    applied: db.prepare("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'").get()
      ? db.prepare('SELECT id FROM schema_migrations ORDER BY id').pluck().all()
      : [],
    tables: db
      .prepare(
        "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1",
      )
      .pluck()
      .all(),
    settings: db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get()
      ? db.prepare('SELECT key FROM settings ORDER BY key').pluck().all()
      : [],
  };
  db.close();
  return state;
}

function expectRefused(pattern: RegExp): void {
  const before = hash();
  expect(open).toThrow(
    expect.objectContaining({ code: 'TROUBLE', message: expect.stringMatching(pattern) }),
  );
  expect(hash()).toBe(before);
}

/** The statements of a migration file; a trigger's body holds semicolons of its own. */
function statements(sql: string): string[] {
  const found: string[] = [];
  let current = '';
  for (const line of sql.split('\n')) {
    current += `${line}\n`;
    const complete = /CREATE TRIGGER/.test(current)
      ? /^END;/m.test(current)
      : /;\s*$/.test(line.replace(/--.*$/, ''));
    if (!complete) continue;
    found.push(current);
    current = '';
  }
  return found;
}

test('T52: refuses a database of a newer version and names both versions', () => {
  open().close();
  change('PRAGMA user_version = 999');
  expectRefused(
    new RegExp(`newer version.*schema version 999.*up to ${newest}.*restore the backup`),
  );
  expect(() => openDatabase({ file, migrationsFolder: migrations, clock, access: 'read' })).toThrow(
    /999/,
  );
});

test('T52: refuses a database with an unknown migration', () => {
  open().close();
  change(
    `INSERT INTO schema_migrations VALUES (15, 'from-elsewhere', 'abc', '2026-01-01T00:00:00.000Z')`,
  );
  expectRefused(
    new RegExp(`migration 15 \\(from-elsewhere\\).*version ${newest}.*up to ${newest}`),
  );
});

test('T52: refuses a database whose applied migration was changed since', () => {
  write(newest + 1, 'CREATE TABLE later (a) STRICT;'.replace('(a)', '(a TEXT)'));
  open().close();
  write(newest + 1, 'CREATE TABLE later (a TEXT, b TEXT) STRICT;');
  expectRefused(new RegExp(`migration ${newest + 1} \\(later\\) differs`));
  write(newest + 1, 'CREATE TABLE later (a TEXT) STRICT;');
  open().close();
});

test('T52: refuses a database that skipped a migration or lost its list', () => {
  write(newest + 2, 'CREATE TABLE later (a TEXT) STRICT;');
  open().close();
  write(newest + 1, 'CREATE TABLE between_them (a TEXT) STRICT;');
  expectRefused(new RegExp(`lacks the migration ${newest + 1}`));
  rmSync(join(migrations, `${String(newest + 1).padStart(4, '0')}-later.sql`));
  change(`DELETE FROM schema_migrations WHERE id = ${newest + 2}`);
  expectRefused(/list of migrations ends with/);
});

test('T52: refuses to open an older database for reading', () => {
  open().close();
  write(newest + 1, 'CREATE TABLE later (a TEXT) STRICT;');
  expect(() => openDatabase({ file, migrationsFolder: migrations, clock, access: 'read' })).toThrow(
    new RegExp(`older version.*version ${newest}.*needs ${newest + 1}`),
  );
});

test('refuses another program’s database', () => {
  change('CREATE TABLE recipes (a)');
  expectRefused(/not one of Touchstone/);
});

test('accepts migrations whose line ends a checkout changed', () => {
  open().close();
  for (const name of readdirSync(migrations))
    writeFileSync(
      join(migrations, name),
      readFileSync(join(migrations, name), 'utf8').replaceAll('\n', '\r\n'),
    );
  open().close();
});

test('T53: rolls back a migration that fails at any statement and migrates at the next start', () => {
  const files = readdirSync(realMigrationsFolder).sort();
  let places = 0;
  let before = { version: 0, applied: [], tables: [], settings: [] } as ReturnType<typeof schema>;
  let databaseBefore: Buffer | null = null;
  rmSync(migrations, { recursive: true });
  mkdirSync(migrations);
  // Each migration starts from what the one before it left.
  for (const name of files) {
    const sql = statements(readFileSync(join(realMigrationsFolder, name), 'utf8'));
    expect(sql, name).not.toEqual([]);
    const all = Array.from({ length: sql.length + 1 }, (_, at) => at);
    // Each run takes both ends and the middle, and the newest, which is what can be wrong, whole.
    const ends = [0, Math.ceil(sql.length / 2), sql.length];
    const isNewest = name === files.at(-1);
    for (const at of sampled(all, (place) => isNewest || ends.includes(place))) {
      rmSync(join(folder.path, 'backups'), { recursive: true, force: true });
      writeFileSync(
        join(migrations, name),
        [...sql.slice(0, at), 'SELECT no_such_function();', ...sql.slice(at)].join('\n'),
      );
      expect(open, `${name} before statement ${at}`).toThrow(
        /failed; it is at version .*no_such_function/,
      );
      expect(schema(), `${name} before statement ${at}`).toEqual(before);
      if (databaseBefore !== null) {
        expect(backups()).toHaveLength(1);
        expect(schema(join(folder.path, 'backups', backups()[0] ?? ''))).toEqual(before);
      }

      places += 1;
      if (at > 0 && at < sql.length) continue;
      cpSync(join(realMigrationsFolder, name), join(migrations, name));
      open().close();
      const settings = databaseBefore === null ? [] : ['kept'];
      expect(schema()).toMatchObject({ version: Number.parseInt(name), settings });
      if (at === sql.length) continue;
      removeDatabase();
      if (databaseBefore !== null) writeFileSync(file, databaseBefore);
    }
    if (databaseBefore === null) change(`INSERT INTO settings VALUES ('kept', '1')`);
    before = schema();
    databaseBefore = readFileSync(file);
  }
  expect(before).toMatchObject({ version: newest, settings: ['kept'] });
  expect(places).toBeGreaterThan(40);
});

test('T53: rejects a migration that leaves dangling references or ends its own transaction', () => {
  open().close();
  const before = schema();
  write(
    newest + 1,
    `CREATE TABLE later (a TEXT REFERENCES suites(id)) STRICT; INSERT INTO later VALUES ('nobody');`,
  );
  expect(open).toThrow(/refer to nothing/);
  expect(schema()).toEqual(before);
  write(newest + 1, 'CREATE TABLE later (a TEXT) STRICT; COMMIT;');
  expect(open).toThrow(/ends its own transaction/);
});

test('T53: keeps rows that refer to a table that a migration rebuilds', () => {
  const first = open();
  first.exec(`INSERT INTO suites (id, name, messages, servers, created_at, updated_at) VALUES ('s', 'S', '[]', '[]', 't', 't');
    INSERT INTO test_cases (id, suite_id, key, position, name, query, expected_calls) VALUES ('c', 's', 'k', 0, 'n', 'q', '[]')`);
  first.close();
  write(
    newest + 1,
    `DROP VIEW test_case_mcp_servers; CREATE TABLE suites_next (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT; INSERT INTO suites_next SELECT id, name FROM suites;
    DROP TABLE suites; ALTER TABLE suites_next RENAME TO suites;`,
  );
  const db = open();
  expect(db.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBe(1);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  db.close();
});

test('T53: keeps every server where a migration demands a transport, also without one', () => {
  const demanding = '0530-tool-search.sql';
  rmSync(migrations, { recursive: true });
  mkdirSync(migrations);
  for (const name of readdirSync(realMigrationsFolder).filter((one) => one < demanding))
    cpSync(join(realMigrationsFolder, name), join(migrations, name));
  const configs = {
    whole: { transport: 'sse', url: 'https://a.test/mcp', headers: {} },
    program: { command: 'node', args: [], cwd: null, env: {} },
    folder: { transport: 'nothing known', folder: '/skills' },
    address: { transport: null, url: 'https://b.test/mcp', headers: {} },
  };
  open().close();
  change(
    Object.entries(configs)
      .map(
        ([name, config]) =>
          `INSERT INTO mcp_servers (id, name, url, config, status) VALUES ('${name}', '${name}', '${name}', '${JSON.stringify(config)}', 'active');`,
      )
      .join('\n'),
  );
  cpSync(join(realMigrationsFolder, demanding), join(migrations, demanding));
  const db = open();
  expect(
    db.prepare('SELECT id, transport, status FROM mcp_servers ORDER BY id').raw().all(),
  ).toEqual([
    ['address', 'streamable-http', 'active'],
    ['folder', 'skills', 'active'],
    ['program', 'stdio', 'active'],
    ['whole', 'sse', 'active'],
  ]);
  db.close();
});

test('T53: keeps the last three backups, also when starts keep failing', () => {
  open().close();
  expect(() => backups()).toThrow();
  for (let id = newest + 1; id <= newest + 4; id += 1) {
    write(id, `CREATE TABLE later_${id} (a TEXT) STRICT;`);
    open().close();
  }
  const versions = () => backups().map((name) => Number(/touchstone-(\d{4})-2026/.exec(name)?.[1]));
  expect(versions()).toEqual([newest + 1, newest + 2, newest + 3]);
  write(newest + 5, 'SELECT no_such_function();');
  for (let start = 0; start < 4; start += 1)
    expect(open).toThrow(/A backup from before is .*touchstone-/);
  expect(versions()).toEqual([newest + 2, newest + 3, newest + 4]);
});

test('refuses a migrations folder with a wrong name, a duplicate number or no file', () => {
  expect(readMigrations(migrations).map(({ id }) => id)).toEqual(
    [...readMigrations(migrations)].map(({ id }) => id).sort((a, b) => a - b),
  );
  writeFileSync(join(migrations, 'extra.sql'), '');
  expect(() => readMigrations(migrations)).toThrow(/NNNN-name/);
  rmSync(join(migrations, 'extra.sql'));
  write(newest, '');
  expect(() => readMigrations(migrations)).toThrow(/is duplicated/);
  mkdirSync(join(folder.path, 'empty'));
  expect(() => readMigrations(join(folder.path, 'empty'))).toThrow(/no migration/);
});
