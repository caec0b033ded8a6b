import type { StoreContext } from '../storeContext.ts';

export function openOfferedTools({ db }: StoreContext) {
  const known = db
    .prepare<[string], number>('SELECT 1 FROM offered_tools WHERE list_id = ? LIMIT 1')
    .pluck();
  const insert = db.prepare<[string, string]>(
    'INSERT INTO offered_tools (list_id, snapshot_tool_id) SELECT ?, value FROM json_each(?)',
  );
  return {
    /** Keeps a list of tools by its ID, once. */
    put(listId: string, snapshotToolIds: readonly number[]): void {
      if (known.get(listId) === undefined) insert.run(listId, JSON.stringify(snapshotToolIds));
    },
  };
}
