import { z } from 'zod';
import { jsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { notFound, json, readRow } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

const draftRow = z.object({ content: jsonObject });

/** Unsaved input for cases. Deleted with its suite. */
export function openSuiteDrafts({ db, clock, transaction }: StoreContext) {
  const bySuite = db.prepare<[string], { draft_key: string; content: string }>(
    'SELECT draft_key, content FROM suite_drafts WHERE suite_id = ?',
  );
  const put = db.prepare<
    [string, string, string, string]
  >(`INSERT INTO suite_drafts (suite_id, draft_key, content, updated_at) SELECT id, ?, ?, ? FROM suites WHERE id = ?
    ON CONFLICT (suite_id, draft_key) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at`);
  const remove = db.prepare<[string, string]>(
    'DELETE FROM suite_drafts WHERE suite_id = ? AND draft_key = ?',
  );
  return {
    /** By the id of the case, or `new`. */
    list: (suiteId: string): Record<string, JsonObject> =>
      Object.fromEntries(
        bySuite
          .all(suiteId)
          .map((row) => [
            row.draft_key,
            readRow(draftRow, `The draft ${row.draft_key}`, () => ({ content: json(row.content) }))
              .content,
          ]),
      ),
    /** NOT_FOUND where there is no such suite. */
    put: (suiteId: string, key: string, content: JsonObject): void =>
      transaction(() => {
        if (put.run(key, JSON.stringify(content), clock.now(), suiteId).changes === 0)
          throw notFound('Suite', suiteId);
      }),
    delete: (suiteId: string, key: string): void =>
      transaction(() => {
        remove.run(suiteId, key);
      }),
  };
}
