import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  toolCategory,
  type RemovedCategory,
  type CategoryInput,
  type ToolCategory,
} from '../../../src-shared/domain/workshop.ts';
import {
  namingConflicts,
  notFound,
  readRow,
  requireRow,
  defineTable,
  type Row,
} from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

const table = defineTable('tool_categories', {
  id: 'text',
  name: 'text',
  description: 'text?',
  parentId: 'text?',
  createdAt: 'text',
  updatedAt: 'text',
});
type CategoryRow = Row<typeof table>;

/** Categories of workshop tools: a tree with unique names. */
export function openToolCategories({ db, clock, nextId, transaction }: StoreContext) {
  const select = `SELECT ${table.columns} FROM tool_categories`;
  const all = db.prepare<[], CategoryRow>(`${select} ORDER BY name COLLATE NOCASE, name`);
  const byId = db.prepare<[string], CategoryRow>(`${select} WHERE id = ?`);
  const byName = db.prepare<[string], CategoryRow>(`${select} WHERE name = ?`);
  /** The category and its ancestors. */
  const above = db
    .prepare<[string], string>(
      `WITH RECURSIVE above (id) AS (SELECT ? UNION SELECT c.parent_id FROM tool_categories c JOIN above ON c.id = above.id WHERE c.parent_id IS NOT NULL)
      SELECT id FROM above`,
    )
    .pluck();
  const insert = db.prepare<[CategoryRow]>(table.insert());
  const update = db.prepare<[CategoryRow]>(
    `UPDATE tool_categories SET ${table.assignmentsExcept('id', 'createdAt')} WHERE id = :id`,
  );
  const liftCategories = db.prepare<[string | null, string]>(
    'UPDATE tool_categories SET parent_id = ? WHERE parent_id = ?',
  );
  const liftTools = db.prepare<[string | null, string]>(
    'UPDATE tools SET category_id = ? WHERE category_id = ?',
  );
  const countTools = db
    .prepare<[string], number>(
      'SELECT count(*) FROM tools WHERE category_id = ? AND deleted_at IS NULL',
    )
    .pluck();
  const remove = db.prepare<[string]>('DELETE FROM tool_categories WHERE id = ?');

  const existing = (id: string): CategoryRow => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('Category', id);
    return row;
  };
  const write = (statement: typeof insert, row: CategoryRow): ToolCategory => {
    const thing = `The category ${row.name}`;
    if (row.parentId !== null && above.all(row.parentId).includes(row.id)) {
      throw new ServiceError('INVALID', {
        thing,
        cause: 'It would contain itself.',
        nextStep: 'Choose a parent that is not within it.',
        field: 'parentId',
      });
    }
    namingConflicts(
      thing,
      {
        'tool_categories.name': () => ({
          thing,
          cause: 'Another category has this name.',
          nextStep: 'Choose another name.',
          field: 'name',
        }),
        'foreign key': () => ({
          thing: `The parent of the category ${row.name}`,
          cause: "It doesn't exist.",
          nextStep: 'Choose another one.',
          field: 'parentId',
        }),
      },
      () => statement.run(row),
    );
    return readCategory(requireRow(byId.get(row.id)));
  };

  return {
    /** Ordered by name. */
    list: (): ToolCategory[] => all.all().map(readCategory),
    getByName: (name: string): ToolCategory | null => {
      const row = byName.get(name);
      return row === undefined ? null : readCategory(row);
    },
    insert: ({ name, description, parentId }: CategoryInput): ToolCategory =>
      transaction(() => {
        const at = clock.now();
        return write(insert, {
          id: nextId(),
          name,
          description,
          parentId,
          createdAt: at,
          updatedAt: at,
        });
      }),
    /** INVALID where it would become its own ancestor. */
    update: (id: string, { name, description, parentId }: CategoryInput): ToolCategory =>
      transaction(() =>
        write(update, {
          ...existing(id),
          name,
          description,
          parentId,
          updatedAt: clock.now(),
        }),
      ),
    /** Its tools and categories move up to its parent. */
    delete: (id: string): Omit<RemovedCategory, 'what'> & { name: string } =>
      transaction(() => {
        const { name, parentId } = existing(id);
        const moved = {
          tools: countTools.get(id) ?? 0,
          categories: liftCategories.run(parentId, id).changes,
        };
        liftTools.run(parentId, id);
        remove.run(id);
        return { name, ...moved, movedTo: parentId === null ? null : existing(parentId).name };
      }),
  };
}

function readCategory(row: CategoryRow): ToolCategory {
  return readRow(toolCategory, `The category ${row.name} (${row.id})`, () => table.fromRow(row));
}
