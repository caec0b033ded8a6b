import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { fixturesFolder, schemaFixture } from '../../testing/fixtures/writeSchemaFixture.ts';
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
/** Tables whose rows a migration moved to another one. */
const movedTo: Readonly<Record<string, string>> = {
  task_evaluations: 'evaluations',
  task_evaluation_models: 'evaluation_models',
  task_events: 'evaluation_events',
  evaluation_cases: 'entries',
  task_evaluation_tasks: 'entries',
  case_contents: 'entry_contents',
  test_runs: 'runs',
  task_runs: 'runs',
  task_steps: 'steps',
  task_labels: 'labels',
  rewrites: 'candidates',
};
/** A table that became a view: its rows follow from those of others. */
const viewToday = 'test_case_mcp_servers';
/** The rows of each table, by the name that it has today. */
function countRows(db: Sqlite.Database): Record<string, number> {
  const counts: Record<string, number> = {};
  const names = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE (type = 'table' OR name = '${viewToday}') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'schema_migrations' ORDER BY name`,
    )
    .pluck()
    .all();
  for (const name of names) {
    const today = movedTo[name] ?? name;
    const rows = Number(db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
    counts[today] = (counts[today] ?? 0) + rows;
  }
  return counts;
}

describe.each(fixtures)('T53: a workspace of %s', (fixture) => {
  test('is migrated without losing a row and can be read', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'touchstone.sqlite');
    const old = new Sqlite(file);
    old.exec(readFileSync(join(fixturesFolder, fixture), 'utf8'));
    const before = countRows(old);
    // Tasks are stored by their content too.
    const tasks = old.prepare('SELECT count(DISTINCT content) FROM task_evaluation_tasks').pluck();
    before['entry_contents'] = Number(before['entry_contents']) + Number(tasks.get());
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
      expect(countRows(db)).toEqual(before);
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

test('T53: a fixture of the newest schema has rows in every table', () => {
  using fresh = createTestDatabase();
  const kept = new Sqlite(':memory:');
  kept.exec(schemaFixture());
  const schema = (db: Sqlite.Database) => [
    db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
    db.prepare('SELECT id, name, sha256 FROM schema_migrations ORDER BY id').all(),
  ];
  expect(schema(kept)).toEqual(schema(fresh.db));
  expect(Object.entries(countRows(kept)).filter(([, rows]) => rows === 0)).toEqual([]);
  kept.close();
});
