import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillEvaluations } from '../../testing/fillEvaluations.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';

let at: TestDatabase;
beforeEach(() => (at = createTestDatabase()));
afterEach(() => at.close());

/** Rows of every table that refer to an evaluation, or to a run of it, whatever refers to them. */
function rowsOf(id: string): Record<string, number> {
  const tables = at.db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const own = tables.flatMap((table) => {
    const keys = at.db.pragma(`foreign_key_list(${table})`) as { table: string; from: string }[];
    return keys
      .filter((key) => key.table === 'evaluations' || key.table === 'runs')
      .map(({ table: to, from }) => {
        const values = to === 'runs' ? 'SELECT id FROM runs WHERE evaluation_id = ?' : 'SELECT ?';
        const rows = at.db.prepare<[string], number>(
          `SELECT count(*) FROM ${table} WHERE ${from} IN (${values})`,
        );
        return [table, rows.pluck().get(id) ?? 0] as const;
      });
  });
  return Object.fromEntries(own.filter(([, rows]) => rows > 0));
}

test('deletes what was removed before with all its rows, and nothing else', () => {
  const { store, db } = at;
  const [gone = '', kept = '', later = ''] = fillEvaluations(db, store, {
    evaluations: 3,
    casesEach: 1500,
  });
  const before = [kept, later].map(rowsOf);
  expect(rowsOf(gone)).toMatchObject({ runs: 1500, entries: 1500, evaluation_results: 1350 });
  store.evaluations.setDeleted(gone, '2026-01-01T00:00:00.000Z');
  store.evaluations.giveUpRemoved();
  store.evaluations.setDeleted(later, '2026-01-01T00:00:00.000Z');
  let slices = 1;
  while (store.evaluations.purge()) slices += 1;
  expect(slices).toBeLessThan(1500);
  expect(rowsOf(gone)).toEqual({});
  expect(db.prepare('SELECT id FROM evaluations ORDER BY number').pluck().all()).toEqual([
    kept,
    later,
  ]);
  expect([kept, later].map(rowsOf)).toEqual(before);
  expect(store.evaluations.purge()).toBe(false);
});
