import { maxHoldInTransactionMs } from '../../runtime/yieldToEventLoop.ts';
import type { StoreContext } from '../storeContext.ts';

/** Cases that are moved or deleted between two looks at the clock. */
const casesAtOnce = 20;

/**
 * Brings cases from the hidden suites that hold them into their suites, and deletes those that
 * nobody sees any more, except in the suites of `open`.
 */
export function openCaseMoves(
  { db, transaction }: StoreContext,
  open: ReadonlySet<string>,
): { settle: () => boolean } {
  const unseen = db.prepare<[string], { id: string; hidden: 0 | 1 }>(
    `SELECT id, hidden FROM suites
     WHERE shown_in IS NULL AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
  );
  const onTheirWay = db.prepare<[], { from: string; to: string }>(
    'SELECT id AS "from", shown_in AS "to" FROM suites WHERE shown_in <> id LIMIT 1',
  );
  const some = db
    .prepare<[string, number], number>('SELECT rowid FROM test_cases WHERE suite_id = ? LIMIT ?')
    .pluck();
  const these = '(SELECT value FROM json_each(:rows))';
  const remove = db.prepare<[{ rows: string }]>(`DELETE FROM test_cases WHERE rowid IN ${these}`);
  const move = db.prepare<[{ rows: string; to: string }]>(
    `UPDATE test_cases SET suite_id = :to, id = coalesce(kept_id, id), kept_id = NULL
     WHERE rowid IN ${these}`,
  );
  const countMove = db.prepare<[string]>('UPDATE suites SET moves = moves + 1 WHERE id = ?');
  const removeSuite = db.prepare<[string]>('DELETE FROM suites WHERE id = ?');
  const showItself = db.prepare<[string]>('UPDATE suites SET shown_in = id WHERE id = ?');

  const rowsOf = (suiteId: string): { rows: string } | null => {
    const rows = some.all(suiteId, casesAtOnce);
    return rows.length === 0 ? null : { rows: JSON.stringify(rows) };
  };
  /** Deletes first: what moves may take the ids of what is deleted. */
  const step = (): boolean => {
    const gone = unseen.get(JSON.stringify([...open]));
    if (gone !== undefined) {
      const part = rowsOf(gone.id);
      if (part !== null) remove.run(part);
      else (gone.hidden === 1 ? removeSuite : showItself).run(gone.id);
      return true;
    }
    const moving = onTheirWay.get();
    if (moving === undefined) return false;
    const part = rowsOf(moving.from);
    if (part === null) removeSuite.run(moving.from);
    else {
      move.run({ ...part, to: moving.to });
      countMove.run(moving.to);
    }
    return true;
  };

  const isLeft = (): boolean =>
    unseen.get(JSON.stringify([...open])) !== undefined || onTheirWay.get() !== undefined;

  return {
    settle: () =>
      isLeft() &&
      transaction(() => {
        const until = performance.now() + maxHoldInTransactionMs;
        while (performance.now() < until) if (!step()) return false;
        return true;
      }),
  };
}
