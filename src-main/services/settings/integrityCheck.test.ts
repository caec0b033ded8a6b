import { expect, test } from 'vitest';
import { createTestDatabase, realMigrationsFolder } from '../../testing/testDatabase.ts';
import { startIntegrityCheck } from './integrityCheck.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A workspace and a check of it after a number of days. */
function checks() {
  const database = createTestDatabase();
  const logged: string[] = [];
  const log = { info: () => undefined, error: (line: string) => void logged.push(line) };
  const start = (days: number) =>
    startIntegrityCheck({
      db: database.db,
      session: database.db.session,
      store: database.store,
      migrationsFolder: realMigrationsFolder,
      clock: {
        now: () => new Date(Date.parse('2026-01-01T00:00:00Z') + days * dayMs).toISOString(),
      },
      log,
    }).done;
  const checkedAt = () => database.store.settings.recall('integrityCheck');
  return { database, logged, start, checkedAt, [Symbol.dispose]: () => database.close() };
}

test('checks every table a week after the last check', async () => {
  using at = checks();
  await at.start(0);
  await at.start(6);
  expect(at.checkedAt()).toBe('2026-01-01T00:00:00.000Z');
  await at.start(8);
  expect(at.checkedAt()).toBe('2026-01-09T00:00:00.000Z');
  expect(at.logged).toEqual([]);
});

test('T51: refuses further writes when an index differs from its table', async () => {
  using at = checks();
  const { db } = at.database;
  const suite = { name: 'S', system: null, messages: [], servers: [] };
  const { id } = at.database.store.suites.insert(suite);
  db.prepare(
    "INSERT INTO test_cases (id, suite_id, key, position, name, query, expected_calls) VALUES ('c', ?, 'k', 0, 'n', 'q', '[]')",
  ).run(id);
  await at.start(0);
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  db.exec(
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX test_cases_expected_tool ON test_cases (name)' WHERE name = 'test_cases_expected_tool'",
  );
  at.database.reopen();
  await at.start(8);
  const { settings } = at.database.store;
  expect(() => settings.mark('more')).toThrow(
    /touchstone\.sqlite.*damaged \(.*test_cases.*Close Touchstone.*touchstone salvage/,
  );
  expect(at.logged).toEqual([expect.stringContaining('Touchstone no longer writes to it')]);
  expect(settings.isMarked('more')).toBe(false);
});
