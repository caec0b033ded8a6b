import type { StoreContext } from '../storeContext.ts';

export interface OfferedToolsStore {
  /** Keeps a list of tools by its ID, once. */
  put(listId: string, snapshotToolIds: readonly number[]): void;
}

/** Lists of tools that runs were offered. */
export function openOfferedTools({ db }: StoreContext): OfferedToolsStore {
  const known = db
    .prepare<[string], number>('SELECT 1 FROM offered_tools WHERE list_id = ? LIMIT 1')
    .pluck();
  const insert = db.prepare<[string, string]>(
    'INSERT INTO offered_tools (list_id, snapshot_tool_id) SELECT ?, value FROM json_each(?)',
  );
  return {
    put(listId, snapshotToolIds) {
      if (known.get(listId) === undefined) insert.run(listId, JSON.stringify(snapshotToolIds));
    },
  };
}
