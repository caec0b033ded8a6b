import type { ToolStatus } from '../../../src-shared/domain/workshop.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** The columns that a tool and each of its versions share: the fields of its content. */
export const contentColumns = {
  name: 'text',
  displayName: 'text',
  description: 'text',
  tags: 'json',
  inputSchema: 'json',
  outputSchema: 'json',
  scriptContent: 'text?',
  executorType: 'text',
  executorConfig: 'json',
} as const;

export interface ToolQuery {
  search: string;
  status?: readonly ToolStatus[] | undefined;
  /** Includes the categories below it. Null: without a category. Left out: any. */
  categoryId?: string | null | undefined;
  tag?: string | undefined;
  deleted: boolean;
  offset: number;
  limit: number;
}

/** What a list shows of a tool, besides the beginning of its description. */
export const listedTable = defineTable('tools', {
  id: 'text',
  name: 'text',
  displayName: 'text',
  status: 'text',
  categoryId: 'text?',
  tags: 'json',
  executorType: 'text',
  version: 'integer',
  updatedAt: 'text',
  deletedAt: 'text?',
});
export type ListedRow = Row<typeof listedTable> & { description: string };

interface Given {
  words: string;
  statuses: string;
  category: string | null;
  tag: string | null;
}

const conditions = {
  words: 'number IN (SELECT rowid FROM tools_search WHERE tools_search MATCH :words)',
  statuses: 'status IN (SELECT value FROM json_each(:statuses))',
  below: `category_id IN (WITH RECURSIVE below (id) AS (SELECT :category UNION SELECT c.id FROM tool_categories c JOIN below ON c.parent_id = below.id) SELECT id FROM below)`,
  none: 'category_id IS NULL',
  tag: 'EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag)',
};

/** Finds tools by words in name, display name and description, by state, category and tag. */
export function openToolSearch({
  db,
}: StoreContext): (query: ToolQuery) => { rows: ListedRow[]; total: number } {
  type Values = Given & { offset: number; limit: number };
  const prepared = new Map<
    string,
    { page: ReturnType<typeof preparePage>; count: ReturnType<typeof prepareCount> }
  >();
  const preparePage = (where: string) =>
    db.prepare<
      [Values],
      ListedRow
    >(`SELECT ${listedTable.columns}, substr(description, 1, 500) AS description
      FROM tools WHERE ${where} ORDER BY name, number LIMIT :limit OFFSET :offset`);
  const prepareCount = (where: string) =>
    db.prepare<[Values], number>(`SELECT count(*) FROM tools WHERE ${where}`).pluck();

  return ({ search, status, categoryId, tag, deleted, offset, limit }) => {
    const words = matchOf(search);
    // The search text contains no word, so nothing can match it.
    if (words === '' && search.trim() !== '') return { rows: [], total: 0 };
    const where = [
      `deleted_at IS ${deleted ? 'NOT ' : ''}NULL`,
      ...(words === '' ? [] : [conditions.words]),
      ...(status === undefined ? [] : [conditions.statuses]),
      ...(categoryId === undefined
        ? []
        : [categoryId === null ? conditions.none : conditions.below]),
      ...(tag === undefined ? [] : [conditions.tag]),
    ].join(' AND ');
    let statements = prepared.get(where);
    if (statements === undefined)
      prepared.set(where, (statements = { page: preparePage(where), count: prepareCount(where) }));
    const values: Values = {
      words,
      statuses: JSON.stringify(status ?? []),
      category: categoryId ?? null,
      tag: tag ?? null,
      offset,
      limit,
    };
    return { rows: statements.page.all(values), total: statements.count.get(values) ?? 0 };
  };
}

/**
 * Matches the beginning of every word. Words are quoted, so that nothing typed is an operator of
 * the index.
 */
function matchOf(search: string): string {
  const words = search.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 20)
    .map((word) => `"${word}"*`)
    .join(' ');
}
