import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  toolCategory,
  type CategoryInput,
  type ToolCategory,
} from '../../../src-shared/domain/workshop.ts';
import { namingConflicts, notFound } from '../database/conflict.ts';
import { readRow, requireRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ToolCategoryStore {
  /** By name. */
  list(): ToolCategory[];
  getByName(name: string): ToolCategory | null;
  insert(input: CategoryInput): ToolCategory;
  /** INVALID where it would stand below itself. */
  update(id: string, input: CategoryInput): ToolCategory;
  /** What stood in it, tools and categories, moves up to its parent. */
  delete(id: string): ToolCategory;
}

interface StoredRow {
  id: string;
  name: string;
  description: string | null;
  parent_id: string | null;
  created_at: string;
  updated_at: string;
}

export function openToolCategories({
  db,
  clock,
  nextId,
  transaction,
}: StoreContext): ToolCategoryStore {
  const all = db.prepare<[], StoredRow>(
    'SELECT * FROM tool_categories ORDER BY name COLLATE NOCASE, name',
  );
  const byId = db.prepare<[string], StoredRow>('SELECT * FROM tool_categories WHERE id = ?');
  const byName = db.prepare<[string], StoredRow>('SELECT * FROM tool_categories WHERE name = ?');
  const above = db
    .prepare<[string], string>(
      `WITH RECURSIVE above (id) AS (SELECT ? UNION SELECT c.parent_id FROM tool_categories c JOIN above ON c.id = above.id WHERE c.parent_id IS NOT NULL)
      SELECT id FROM above`,
    )
    .pluck();
  const insert = db.prepare<[StoredRow]>(
    'INSERT INTO tool_categories (id, name, description, parent_id, created_at, updated_at) VALUES (:id, :name, :description, :parent_id, :created_at, :updated_at)',
  );
  const update = db.prepare<[StoredRow]>(
    'UPDATE tool_categories SET name = :name, description = :description, parent_id = :parent_id, updated_at = :updated_at WHERE id = :id',
  );
  const liftCategories = db.prepare<[string | null, string]>(
    'UPDATE tool_categories SET parent_id = ? WHERE parent_id = ?',
  );
  const liftTools = db.prepare<[string | null, string]>(
    'UPDATE tools SET category_id = ? WHERE category_id = ?',
  );
  const remove = db.prepare<[string]>('DELETE FROM tool_categories WHERE id = ?');

  const existing = (id: string): StoredRow => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('Category', id);
    return row;
  };
  const write = (statement: typeof insert, row: StoredRow): ToolCategory => {
    const thing = `The category ${row.name}`;
    if (row.parent_id !== null && above.all(row.parent_id).includes(row.id)) {
      throw new ServiceError('INVALID', {
        thing,
        cause: 'It would stand below itself.',
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
          cause: 'It does not exist (any more).',
          nextStep: 'Choose another one.',
          field: 'parentId',
        }),
      },
      () => statement.run(row),
    );
    return readCategory(requireRow(byId.get(row.id)));
  };

  return {
    list: () => all.all().map(readCategory),
    getByName: (name) => {
      const row = byName.get(name);
      return row === undefined ? null : readCategory(row);
    },
    insert: ({ name, description, parentId }) =>
      transaction(() => {
        const at = clock.now();
        return write(insert, {
          id: nextId(),
          name,
          description,
          parent_id: parentId,
          created_at: at,
          updated_at: at,
        });
      }),
    update: (id, { name, description, parentId }) =>
      transaction(() =>
        write(update, {
          ...existing(id),
          name,
          description,
          parent_id: parentId,
          updated_at: clock.now(),
        }),
      ),
    delete: (id) =>
      transaction(() => {
        const old = existing(id);
        liftCategories.run(old.parent_id, id);
        liftTools.run(old.parent_id, id);
        remove.run(id);
        return readCategory(old);
      }),
  };
}

function readCategory(row: StoredRow): ToolCategory {
  return readRow(toolCategory, `The category ${row.name} (${row.id})`, () => ({
    id: row.id,
    name: row.name,
    description: row.description,
    parentId: row.parent_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
