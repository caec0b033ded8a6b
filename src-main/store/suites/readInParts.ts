import type { YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import type { ReadableDatabase } from '../database/database.ts';
import { shownColumns, type TestCaseRow } from './caseTable.ts';
import { shownCases } from './shownCases.ts';

/** Rows that are read between two turns of the event loop. */
const rowsAtOnce = 100;
const maxTries = 3;

type Place = { holder: string; position: number; rowid: number };

/** Reads a long suite some cases at a time. */
export function readInParts(db: ReadableDatabase) {
  /** What changes when a case of the suite comes, goes or moves. */
  const state = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(h.id, h.moves,
         (SELECT count(*) FROM test_cases WHERE suite_id = h.id))) FROM suites h WHERE h.shown_in = ?`,
    )
    .pluck();
  const holders = db
    .prepare<[string], string>('SELECT id FROM suites WHERE shown_in = ? ORDER BY id')
    .pluck();
  const page = db.prepare<[Place & { limit: number }], TestCaseRow & { rowid: number }>(
    `SELECT c.rowid AS rowid, ${shownColumns} FROM ${shownCases}
     WHERE c.suite_id = :holder AND (c.position, c.rowid) > (:position, :rowid)
     ORDER BY c.position, c.rowid LIMIT :limit`,
  );
  let readers = 0;

  return {
    isRead: () => readers > 0,
    stateOf: (suiteId: string) => state.get(suiteId),
    /**
     * In the order of the suite, all that it has at one moment; null if others change that all the
     * time. A case that is edited meanwhile is as it was before or after that.
     */
    async read<T extends { position: number; key: string }>(
      suiteId: string,
      toValue: (row: TestCaseRow) => T,
      yieldIfDue: YieldIfDue,
    ): Promise<T[] | null> {
      readers += 1;
      try {
        for (let tries = 0; tries < maxTries; tries += 1) {
          const before = state.get(suiteId);
          const values: T[] = [];
          for (const holder of holders.all(suiteId)) {
            let place = { holder, position: -1, rowid: 0 };
            for (;;) {
              const rows = page.all({ ...place, limit: rowsAtOnce });
              const last = rows.at(-1);
              if (last === undefined) break;
              for (const row of rows) {
                values.push(toValue(row));
                await yieldIfDue();
              }
              place = { ...place, position: last.position, rowid: last.rowid };
            }
          }
          if (state.get(suiteId) === before)
            return values.sort(
              (a, b) => a.position - b.position || (a.key < b.key ? -1 : Number(a.key > b.key)),
            );
        }
        return null;
      } finally {
        readers -= 1;
      }
    },
  };
}
