import { namingConflicts } from '../database/conflict.ts';
import { defineTable, type Row } from '../database/table.ts';
import { serversOfCase } from './caseServers.ts';
import { caseColumns, caseTable, newCase, toRow, type NewTestCase } from './testCases.ts';
import type { StoreContext } from '../storeContext.ts';

/**
 * Cases on their way into a suite. They are staged in parts where nobody sees them and the end of
 * the program drops them, and then taken over in one transaction. So a large file neither blocks
 * the event loop nor appears in part.
 */
export interface StagedCaseStore {
  open(): StagedCases;
}

export interface StagedCases extends Disposable {
  /** Adds cases after those that are staged already. */
  add(cases: readonly NewTestCase[]): void;
  /** Moves them into a suite, after the cases that it has. */
  appendTo(suiteId: string): void;
  /**
   * The suite then holds exactly these, in this order. A case whose key existed before keeps its
   * id, its time of creation, and its origin unless it brings one.
   */
  replaceIn(suiteId: string): void;
}

const stagedTable = defineTable('temp.staged_cases', { batch: 'text', ...caseColumns });
const columns = caseTable.names.join(', ');
/** What changes when a case moves into its suite; every other column is copied. */
const moved = new Map([
  ['suite_id', ':suiteId'],
  ['position', 'position + next'],
]);

export function openStagedCases({ db, clock, nextId, transaction }: StoreContext): StagedCaseStore {
  /** The table belongs to this connection and is created when it is first needed. */
  const prepare = () => {
    db.exec(
      `CREATE TEMP TABLE IF NOT EXISTS staged_cases AS SELECT '' AS batch, ${columns} FROM main.test_cases WHERE 0`,
    );
    return {
      insert: db.prepare<[Row<typeof stagedTable>]>(stagedTable.insert()),
      move: db.prepare<
        [{ suiteId: string; batch: string }]
      >(`INSERT INTO main.test_cases (${columns})
        SELECT ${caseTable.names.map((name) => moved.get(name) ?? name).join(', ')} FROM temp.staged_cases, (SELECT coalesce(max(position), -1) + 1 AS next FROM main.test_cases WHERE suite_id = :suiteId)
        WHERE batch = :batch ORDER BY staged_cases.rowid`),
      link: db.prepare<
        [{ suiteId: string; batch: string }]
      >(`INSERT INTO main.test_case_mcp_servers (test_case_id, mcp_server_id)
        SELECT DISTINCT c.id, m.id FROM temp.staged_cases c JOIN main.suites u ON u.id = :suiteId
        JOIN json_each(${serversOfCase}) j JOIN main.mcp_servers m ON m.name = j.value WHERE c.batch = :batch`),
      keepOld: db.prepare<
        [{ suiteId: string; batch: string }]
      >(`UPDATE temp.staged_cases AS c SET id = old.id, created_at = old.created_at, origin = coalesce(c.origin, old.origin)
        FROM main.test_cases AS old WHERE c.batch = :batch AND old.suite_id = :suiteId AND old.key = c.key`),
      clear: db.prepare<[string]>('DELETE FROM main.test_cases WHERE suite_id = ?'),
      drop: db.prepare<[string]>('DELETE FROM temp.staged_cases WHERE batch = ?'),
    };
  };
  let prepared: ReturnType<typeof prepare> | null = null;
  return {
    open() {
      const statements = (prepared ??= prepare());
      const batch = nextId();
      let position = 0;
      const move = (suiteId: string): void => {
        const taken = {
          thing: 'The cases',
          cause: 'Another case of the suite has the id of one of them.',
          nextStep: 'Look at the preview again, and import them then.',
        };
        namingConflicts('The cases', { 'test_cases.suite_id, test_cases.key': () => taken }, () =>
          statements.move.run({ suiteId, batch }),
        );
        statements.link.run({ suiteId, batch });
      };
      return {
        add: (cases) =>
          transaction(() => {
            for (const content of cases) {
              statements.insert.run({
                batch,
                ...toRow(
                  newCase(content, { id: nextId(), suiteId: batch, position, at: clock.now() }),
                ),
              });
              position += 1;
            }
          }),
        appendTo: (suiteId) =>
          transaction(() => {
            move(suiteId);
          }),
        replaceIn: (suiteId) =>
          transaction(() => {
            statements.keepOld.run({ suiteId, batch });
            statements.clear.run(suiteId);
            move(suiteId);
          }),
        [Symbol.dispose]: () => void statements.drop.run(batch),
      };
    },
  };
}
