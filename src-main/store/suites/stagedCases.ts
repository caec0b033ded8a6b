import { namingConflicts } from '../database/conflict.ts';
import { defineTable, type Row } from '../database/table.ts';
import { serversOfCase } from './caseServers.ts';
import { caseColumns, caseTable, newCase, toRow, type NewTestCase } from './testCases.ts';
import type { StoreContext } from '../storeContext.ts';

/**
 * Cases on their way into a suite. They are staged in parts where nobody sees them and the end of
 * the program drops them, and then taken over in one transaction. So a large file never appears in
 * part.
 */
export interface StagedCaseStore {
  newBatch(): string;
  /**
   * The rows of cases as they are stored, without secrets. They can be staged by the store of
   * another thread. `from` is the position of the first in its batch.
   */
  rowsOf(batch: string, from: number, cases: readonly NewTestCase[]): StagedCaseRow[];
  open(batch: string): StagedCases;
}

export interface StagedCases extends Disposable {
  /** Adds rows after those that are staged already. */
  add(rows: readonly StagedCaseRow[]): void;
  /** Moves them into a suite, after the cases that it has. */
  appendTo(suiteId: string): void;
  /**
   * The suite then holds exactly these, in this order. A case whose key existed before keeps its
   * id, its time of creation, and its origin unless it brings one.
   */
  replaceIn(suiteId: string): void;
}

const stagedTable = defineTable('temp.staged_cases', { batch: 'text', ...caseColumns });
export type StagedCaseRow = Row<typeof stagedTable>;

/** Rows that one statement moves: a thread can be ended between two of them. */
const rowsAtOnce = 2_000;

const columns = caseTable.names.join(', ');
/** What changes when a case moves into its suite; every other column is copied. */
const moved = new Map([
  ['suite_id', ':suiteId'],
  ['position', 'position + :next'],
]);
type Part = { suiteId: string; from: number; to: number };
const part = 'c.rowid BETWEEN :from AND :to';

export function openStagedCases({
  db,
  clock,
  nextId,
  redact,
  transaction,
}: StoreContext): StagedCaseStore {
  /** The table belongs to this connection and is created when it is first needed. */
  const prepare = () => {
    db.exec(
      `CREATE TEMP TABLE IF NOT EXISTS staged_cases AS SELECT '' AS batch, ${columns} FROM main.test_cases WHERE 0`,
    );
    return {
      insert: db.prepare<[StagedCaseRow]>(stagedTable.insert()),
      next: db
        .prepare<[string], number>(
          'SELECT coalesce(max(position), -1) + 1 FROM main.test_cases WHERE suite_id = ?',
        )
        .pluck(),
      move: db.prepare<[Part & { next: number }]>(`INSERT INTO main.test_cases (${columns})
        SELECT ${caseTable.names.map((name) => moved.get(name) ?? name).join(', ')}
        FROM temp.staged_cases c WHERE ${part} ORDER BY c.rowid`),
      link: db.prepare<[Part]>(`INSERT INTO main.test_case_mcp_servers (test_case_id, mcp_server_id)
        SELECT DISTINCT c.id, m.id FROM temp.staged_cases c JOIN main.suites u ON u.id = :suiteId
        JOIN json_each(${serversOfCase}) j JOIN main.mcp_servers m ON m.name = j.value WHERE ${part}`),
      keepOld: db.prepare<
        [Part]
      >(`UPDATE temp.staged_cases AS c SET id = old.id, created_at = old.created_at, origin = coalesce(c.origin, old.origin)
        FROM main.test_cases AS old WHERE ${part} AND old.suite_id = :suiteId AND old.key = c.key`),
      clear: db.prepare<[string, number]>(`DELETE FROM main.test_cases WHERE rowid IN
        (SELECT rowid FROM main.test_cases WHERE suite_id = ? LIMIT ?)`),
      drop: db.prepare<[string]>('DELETE FROM temp.staged_cases WHERE batch = ?'),
    };
  };
  let prepared: ReturnType<typeof prepare> | null = null;
  return {
    newBatch: nextId,
    rowsOf: (batch, from, cases) =>
      cases.map((content, index) => {
        const identity = { id: nextId(), suiteId: batch, position: from + index, at: clock.now() };
        const row = { batch, ...toRow(newCase(content, identity)) };
        const clean = Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'string' ? redact(value) : value,
        ]);
        return Object.fromEntries(clean) as StagedCaseRow;
      }),
    open(batch) {
      const statements = (prepared ??= prepare());
      /** The ranges of rows that were added: those of other batches lie between them. */
      const parts: { from: number; to: number }[] = [];
      const move = (suiteId: string): void => {
        const taken = {
          thing: 'The cases',
          cause: 'Another case of the suite has the id of one of them.',
          nextStep: 'Look at the preview again, and import them then.',
        };
        const next = statements.next.get(suiteId) ?? 0;
        for (const range of parts) {
          namingConflicts('The cases', { 'test_cases.suite_id, test_cases.key': () => taken }, () =>
            statements.move.run({ suiteId, ...range, next }),
          );
          statements.link.run({ suiteId, ...range });
        }
      };
      const insert = db.transaction((rows: readonly StagedCaseRow[]) => {
        let [first, last] = [0, 0];
        for (const row of rows) {
          last = Number(statements.insert.run(row).lastInsertRowid);
          first ||= last;
        }
        parts.push({ from: first, to: last });
      });
      return {
        add(rows) {
          for (let at = 0; at < rows.length; at += rowsAtOnce)
            insert(rows.slice(at, at + rowsAtOnce));
        },
        appendTo: (suiteId) =>
          transaction(() => {
            move(suiteId);
          }),
        replaceIn: (suiteId) =>
          transaction(() => {
            for (const range of parts) statements.keepOld.run({ suiteId, ...range });
            while (statements.clear.run(suiteId, rowsAtOnce).changes > 0);
            move(suiteId);
          }),
        [Symbol.dispose]: () => void statements.drop.run(batch),
      };
    },
  };
}
