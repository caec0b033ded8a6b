import { caseColumns, newCase, toRow, type NewTestCase } from './testCases.ts';
import type { StoreContext } from './storeContext.ts';

/**
 * Cases on their way into a suite: laid down piece by piece where nobody sees them and the program's end forgets them, then taken over at once. So that
 * a large file neither holds everything up while it is written nor is ever there in part.
 */
export interface StagedCaseStore {
  open(): StagedCases;
}

export interface StagedCases extends Disposable {
  /** Behind those that are laid down already. */
  add(cases: readonly NewTestCase[]): void;
  /** Into a suite without cases. */
  moveTo(suiteId: string): void;
}

const columns = caseColumns.join(', ');

export function openStagedCases({ db, clock, nextId, transaction }: StoreContext): StagedCaseStore {
  /** The table lives in this connection alone; made when it is first needed. */
  const prepare = () => {
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS staged_cases AS SELECT '' AS batch, ${columns} FROM main.test_cases WHERE 0`);
    return {
      insert: db.prepare(`INSERT INTO temp.staged_cases (batch, ${columns}) VALUES (:batch, ${caseColumns.map((name) => `:${name}`).join(', ')})`),
      move: db.prepare<[string, string]>(`INSERT INTO main.test_cases (${columns}) SELECT ${caseColumns.map((name) => (name === 'suite_id' ? '?' : name)).join(', ')} FROM temp.staged_cases WHERE batch = ? ORDER BY position`),
      link: db.prepare<[string]>(`INSERT INTO main.test_case_mcp_servers (test_case_id, mcp_server_id)
        SELECT DISTINCT c.id, s.id FROM main.test_cases c, json_each(c.servers) j JOIN main.mcp_servers s ON s.name = j.value WHERE c.suite_id = ?`),
      drop: db.prepare<[string]>('DELETE FROM temp.staged_cases WHERE batch = ?'),
    };
  };
  let prepared: ReturnType<typeof prepare> | null = null;
  return {
    open() {
      const statements = (prepared ??= prepare());
      const batch = nextId();
      let position = 0;
      return {
        add: (cases) =>
          transaction(() => {
            for (const content of cases) {
              statements.insert.run({ batch, ...toRow(newCase(content, { id: nextId(), suiteId: batch, position, at: clock.now() })) });
              position += 1;
            }
          }),
        moveTo: (suiteId) =>
          transaction(() => {
            statements.move.run(suiteId, batch);
            statements.link.run(suiteId);
          }),
        [Symbol.dispose]: () => void statements.drop.run(batch),
      };
    },
  };
}
