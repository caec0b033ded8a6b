import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { fixtureName, fixturesFolder } from '../../testing/fixtures/writeSchemaFixture.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import {
  countingIds,
  createTestDatabase,
  realMigrationsFolder,
  tickingClock,
} from '../../testing/testDatabase.ts';
import { readMigrations } from './migrationFiles.ts';
import { openDatabase } from './openDatabase.ts';
import { openStore } from '../store.ts';

const clock = tickingClock();
const newest = readMigrations(realMigrationsFolder).at(-1)?.id ?? 0;
const fixtures = readdirSync(fixturesFolder)
  .filter((name) => name.endsWith('.sql'))
  .sort();
const countRows = (db: Sqlite.Database) =>
  db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'schema_migrations' ORDER BY name",
    )
    .pluck()
    .all()
    .map(
      (name) => `${name}: ${String(db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())}`,
    );

describe.each(fixtures)('T53: a workspace of %s', (fixture) => {
  test('is migrated without losing a row and can be read', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'touchstone.sqlite');
    const old = new Sqlite(file);
    old.exec(readFileSync(join(fixturesFolder, fixture), 'utf8'));
    const before = countRows(old);
    const version = Number(old.pragma('user_version', { simple: true }));
    old.close();
    expect(fixture).toBe(`schema-${String(version).padStart(4, '0')}.sql`);

    const db = openDatabase({
      file,
      migrationsFolder: realMigrationsFolder,
      clock,
      access: 'write',
    });
    try {
      expect(db.pragma('user_version', { simple: true })).toBe(newest);
      expect(countRows(db)).toEqual(expect.arrayContaining(before));
      expect(db.pragma('foreign_key_check')).toEqual([]);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(readdirSync(folder.path).includes('backups')).toBe(version < newest);

      const store = openStore(db, { clock, nextId: countingIds() });
      expect(store.servers.list().map(({ name, status }) => [name, status])).toEqual([
        ['todo', 'active'],
        ['web', 'inactive'],
      ]);
      const [suite] = store.suites.list();
      expect(suite).toMatchObject({
        name: 'Überblick',
        system: 'Be brief.',
        servers: ['web'],
        caseCount: 1,
      });
      expect(store.testCases.listBySuite(suite?.id ?? '')).toMatchObject([
        {
          key: 'add',
          query: '買い物 🛒\nline two',
          expectedCalls: [
            {
              server: 'todo',
              tool: 'add',
              parameters: { title: { $contains: "it's" }, due: null },
            },
          ],
          orderDependent: true,
        },
      ]);
      expect(store.settings.get()).toMatchObject({ theme: 'dark', repetitions: 3 });
      const listing = store.serverListings.overview()[0];
      expect(listing).toMatchObject({ toolCount: 1 });
      const snapshot = store.toolSnapshots.get(
        store.serverListings.latest(listing?.serverId ?? '')?.snapshotId ?? '',
      );
      expect(snapshot).toMatchObject({
        servers: [{ rejected: [{ name: 'bad' }] }],
        tools: [{ server: 'todo', name: 'add', description: '' }],
      });
      expect(
        db.prepare('SELECT id, name, mcp_server_id FROM tool_definitions ORDER BY id').all(),
      ).toMatchObject([
        { id: expect.stringMatching(/^run 1:\d+$/), name: 'add' },
        { id: expect.stringMatching(/^run 2:\d+$/), name: 'add', mcp_server_id: listing?.serverId },
      ]);
    } finally {
      db.close();
    }
  });
});

test('T53: a fixture with rows in every table exists for the newest schema', () => {
  using fresh = createTestDatabase();
  const name = fixtures.at(-1) ?? '';
  expect(name).toBe(fixtureName(newest));
  const kept = new Sqlite(':memory:');
  kept.exec(readFileSync(join(fixturesFolder, name), 'utf8'));
  const schema = (db: Sqlite.Database) => [
    db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
    db.prepare('SELECT id, name, sha256 FROM schema_migrations ORDER BY id').all(),
  ];
  expect(schema(kept)).toEqual(schema(fresh.db));
  expect(countRows(kept).filter((line) => line.endsWith(': 0'))).toEqual([]);
  kept.close();
});

test('gives stored settings their new names and keeps the values', async () => {
  const embeddings = { kind: 'embedding', provider: 'openai', model: 'small', baseUrl: null };
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  const old = new Sqlite(file);
  old.exec(readFileSync(join(fixturesFolder, 'schema-0160.sql'), 'utf8'));
  old
    .prepare("UPDATE evaluations SET settings = ? WHERE id = 'evaluation'")
    .run('{"farRetriever":{"server":"web","tool":"find"},"seed":7,"rightWhen":"selection"}');
  old
    .prepare("INSERT INTO settings (key, value) VALUES ('farRetrievers', ?)")
    .run(JSON.stringify([embeddings]));
  old.close();

  const db = openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
  const store = openStore(db, { clock, nextId: countingIds() });
  expect(store.settings.get().externalRetrievers).toEqual([embeddings]);
  const settings = db
    .prepare<[string], string>('SELECT settings FROM evaluations WHERE id = ?')
    .pluck();
  expect(JSON.parse(settings.get('evaluation') ?? '')).toEqual({
    externalRetriever: { server: 'web', tool: 'find' },
    seed: 7,
    passedWhen: 'selection',
  });
  expect(settings.get('deleted')).toBe('{}');
  db.close();
});

test('gives calls that several tools satisfy a row of their own', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  const old = new Sqlite(file);
  old.exec(readFileSync(join(fixturesFolder, 'schema-0170.sql'), 'utf8'));
  old
    .prepare(
      `UPDATE case_contents SET content = json_set(content, '$.expectedCalls', json(?)) WHERE hash =
         (SELECT case_hash FROM evaluation_cases WHERE evaluation_id = 'evaluation' AND position = 0)`,
    )
    .run(
      JSON.stringify([
        { server: 's', tool: 'own' },
        {
          anyOf: [
            { server: 's', tool: 'b' },
            { server: 's', tool: 'a' },
          ],
        },
      ]),
    );
  old.exec("DELETE FROM confusion_units WHERE test_run_id = 'run 1'");
  const add = old.prepare("INSERT INTO confusion_units VALUES ('run 1', ?, ?, ?)");
  add.run(0, 's:own', 's:c');
  add.run(1, 's:b', 's:b');
  add.run(2, '(no tool)', 's:d');
  old.close();

  const db = openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
  expect(
    db
      .prepare<[], [number, string, string]>(
        "SELECT unit, expected, selected FROM confusion_units WHERE test_run_id = 'run 1'",
      )
      .raw()
      .all(),
  ).toEqual([
    [0, 's:own', 's:c'],
    [1, 's:a | s:b', 's:b'],
    [2, '(no tool)', 's:d'],
  ]);
  db.close();
});

test('ranks earlier proofs of a suite and keeps the level that they had to reach', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  const old = new Sqlite(file);
  old.exec(readFileSync(join(fixturesFolder, 'schema-0170.sql'), 'utf8'));
  old
    .prepare("UPDATE rewrites SET proof_evaluation_id = 'p', proof = ? WHERE id = 'rewrite'")
    .run('{"pValue":0.01,"adjustedP":0.02,"reasons":["it’s"]}');
  old.exec(
    `INSERT INTO rewrites SELECT 'later', base_evaluation_id, base_number, model_settings_id, model_name, tool_id, source,
       description_before, description, 'searched', NULL, NULL, NULL, NULL, '2027-01-01T00:00:00.000Z', NULL FROM rewrites`,
  );
  old.close();

  const db = openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
  const rows = db
    .prepare<[], { id: string; suite: string; proof_rank: number | null; proof: string | null }>(
      'SELECT id, suite, proof_rank, proof FROM rewrites ORDER BY created_at',
    )
    .all();
  const suite = db
    .prepare<[], string>(
      "SELECT coalesce(suite_id, suite_name) FROM evaluations WHERE id = 'evaluation'",
    )
    .pluck()
    .get();
  expect(rows.map(({ id, suite: own, proof_rank }) => [id, own, proof_rank])).toEqual([
    ['rewrite', suite, 1],
    ['later', suite, null],
  ]);
  // Holm's adjusted p of 0.02 ≤ 0.05 was p ≤ 0.025.
  expect(JSON.parse(rows[0]?.proof ?? '')).toEqual({
    pValue: 0.01,
    level: 0.025,
    passedBefore: null,
    reasons: ['it’s'],
  });
  db.close();
});
