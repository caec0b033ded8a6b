import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { defineTable } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** Accuracy against tokens: evaluations of one suite that were started together. */
interface StoredFrontier {
  id: string;
  suiteName: string;
  encoding: EncodingName;
  createdAt: string;
}

/** One evaluation of a frontier, with the retriever and the top k that it used. */
export interface StoredFrontierPoint {
  retriever: string;
  /** Null = every tool. */
  k: number | null;
  evaluationId: string;
}

const table = defineTable('frontiers', {
  id: 'text',
  suiteName: 'text',
  encoding: 'text',
  createdAt: 'text',
});

export function openFrontiers({ db, transaction }: StoreContext) {
  const insert = db.prepare<[StoredFrontier]>(table.insert());
  const insertPoint = db.prepare<[string, number, string, number | null, string]>(
    'INSERT INTO frontier_points (frontier_id, position, retriever, k, evaluation_id) VALUES (?, ?, ?, ?, ?)',
  );
  const byId = db.prepare<[string], StoredFrontier>(
    `SELECT ${table.columns} FROM frontiers WHERE id = ?`,
  );
  const all = db.prepare<[], StoredFrontier>(
    `SELECT ${table.columns} FROM frontiers ORDER BY created_at DESC, rowid DESC`,
  );
  const pointsOf = db.prepare<[string], StoredFrontierPoint>(
    `SELECT p.retriever, p.k, p.evaluation_id AS evaluationId FROM frontier_points p JOIN evaluations e ON e.id = p.evaluation_id
    WHERE p.frontier_id = ? AND e.deleted_at IS NULL ORDER BY p.position`,
  );
  return {
    insert: (frontier: StoredFrontier, points: readonly StoredFrontierPoint[]): void =>
      transaction(() => {
        insert.run(frontier);
        points.forEach(({ retriever, k, evaluationId }, position) =>
          insertPoint.run(frontier.id, position, retriever, k, evaluationId),
        );
      }),
    get: (id: string): StoredFrontier | null => byId.get(id) ?? null,
    /** Newest first. */
    list: (): StoredFrontier[] => all.all(),
    /** In the order in which they were started. A point whose evaluation was deleted is left out. */
    points: (id: string): StoredFrontierPoint[] => pointsOf.all(id),
  };
}
