import { z } from 'zod';
import { jsonValue } from '../../../src-shared/domain/json.ts';
import { json, readRow } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

const trashKinds = ['server', 'suite', 'cases', 'tasks', 'evaluation', 'dataset'] as const;
export type TrashKind = (typeof trashKinds)[number];

/** What a deletion removed: enough to restore it. */
const trashed = z.object({ kind: z.enum(trashKinds), title: z.string(), content: jsonValue });
type Trashed = z.infer<typeof trashed>;

export function openTrash({ db, clock, nextId, transaction }: StoreContext) {
  const insert = db.prepare<[string, TrashKind, string, string, string]>(
    'INSERT INTO trash (id, kind, title, content, deleted_at) VALUES (?, ?, ?, ?, ?)',
  );
  const byId = db.prepare<[string], { kind: string; title: string; content: string }>(
    'SELECT kind, title, content FROM trash WHERE id = ?',
  );
  const remove = db.prepare<[string]>('DELETE FROM trash WHERE id = ?');
  const removeAll = db.prepare('DELETE FROM trash');

  return {
    /**
     * Keeps what is being deleted, in the same transaction as the deletion. Returns the token of the
     * undo.
     */
    put: ({ kind, title, content }: { kind: TrashKind; title: string; content: unknown }): string =>
      transaction(() => {
        const token = nextId();
        insert.run(token, kind, title, JSON.stringify(content), clock.now());
        return token;
      }),
    /**
     * Returns the content once, in the same transaction as its restoration. Null where the token is
     * no longer valid. The caller parses `content`.
     */
    take: (token: string): Trashed | null =>
      transaction(() => {
        const row = byId.get(token);
        if (row === undefined) return null;
        remove.run(token);
        return readRow(trashed, `The deleted ${row.kind} ${row.title}`, () => ({
          ...row,
          content: json(row.content),
        }));
      }),
    /** Tokens are valid until the next start of the program. */
    clear: (): void =>
      transaction(() => {
        removeAll.run();
      }),
  };
}
