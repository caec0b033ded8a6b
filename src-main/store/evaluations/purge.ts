import { maxHoldInTransactionMs } from '../../runtime/yieldToEventLoop.ts';
import type { StoreContext } from '../storeContext.ts';

/** Rows that are deleted between two looks at the clock: each run takes its steps and scores along. */
const rowsAtOnce = 20;

/** Deletes evaluations that an earlier session removed, or didn't plan to the end. */
export function openPurge({ db, transaction }: StoreContext) {
  const removed = db
    .prepare<[], string>('SELECT id FROM evaluations WHERE deleted_at IS NOT NULL')
    .pluck();
  const keys = {
    runs: 'rowid',
    entries: 'position',
    evaluation_events: 'seq',
    case_rankings: 'servers, query',
  };
  const parts = Object.entries(keys).map(([table, key]) =>
    db.prepare<[{ id: string }]>(
      `DELETE FROM ${table} WHERE evaluation_id = :id AND (${key}) IN (
         SELECT ${key} FROM ${table} WHERE evaluation_id = :id LIMIT ${rowsAtOnce})`,
    ),
  );
  const remove = db.prepare<[string]>('DELETE FROM evaluations WHERE id = ?');
  let doomed: string[] = [];

  return {
    /** From now on, nobody can restore what is removed already: `purge` deletes it. */
    giveUpRemoved(): void {
      doomed = removed.all();
    },
    /**
     * Deletes for a moment. False once nothing is left, and while the file is still to be checked:
     * all that is deleted would stay in the journal until then.
     */
    purge: (): boolean =>
      doomed.length > 0 &&
      db.session?.isChecked === true &&
      transaction(() => {
        const until = performance.now() + maxHoldInTransactionMs;
        for (let id = doomed[0]; id !== undefined && performance.now() < until; [id] = doomed) {
          const one = { id };
          if (parts.some((part) => part.run(one).changes > 0)) continue;
          remove.run(id);
          doomed.shift();
        }
        return doomed.length > 0;
      }),
  };
}
