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
  /** The parts of at least three characters, as an expression of the index. */
  match: string;
  /** The shorter parts, folded, as JSON. */
  short: string;
  statuses: string;
  category: string | null;
  tag: string | null;
}

const conditions = {
  match: 'number IN (SELECT rowid FROM tools_search WHERE tools_search MATCH :match)',
  short:
    'NOT EXISTS (SELECT 1 FROM json_each(:short) WHERE instr(folded(name || char(10) || display_name || char(10) || description), value) = 0)',
  statuses: 'status IN (SELECT value FROM json_each(:statuses))',
  below: `category_id IN (WITH RECURSIVE below (id) AS (SELECT :category UNION SELECT c.id FROM tool_categories c JOIN below ON c.parent_id = below.id) SELECT id FROM below)`,
  none: 'category_id IS NULL',
  tag: 'EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag)',
};

/**
 * Finds tools whose name, display name and description together contain every part of the search
 * text, by state, category and tag. Case, and accents on Latin letters, don't matter.
 */
export function openToolSearch({
  db,
}: StoreContext): (query: ToolQuery) => { rows: ListedRow[]; total: number } {
  type Values = Given & { offset: number; limit: number };
  db.function('folded', { deterministic: true, directOnly: true }, (text) => fold(String(text)));
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
    const parts = search
      .split(/\s+/u)
      .filter((part) => part !== '')
      .slice(0, maxParts);
    const isShort = (part: string): boolean => Array.from(fold(part)).length < trigramLength;
    const short = parts.filter(isShort);
    const long = parts.filter((part) => !isShort(part));
    const where = [
      `deleted_at IS ${deleted ? 'NOT ' : ''}NULL`,
      ...(long.length === 0 ? [] : [conditions.match]),
      ...(short.length === 0 ? [] : [conditions.short]),
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
      // Quoted, so that nothing typed is an operator of the index.
      match: long.map((part) => `"${part.replaceAll('"', '""')}"`).join(' '),
      short: JSON.stringify(short.map(fold)),
      statuses: JSON.stringify(status ?? []),
      category: categoryId ?? null,
      tag: tag ?? null,
      offset,
      limit,
    };
    return { rows: statements.page.all(values), total: statements.count.get(values) ?? 0 };
  };
}

/** The index knows runs of three characters; shorter parts are looked for in the texts. */
const trigramLength = 3;
const maxParts = 20;

/** Folds a text as the index does: without case and without accents on Latin letters. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
