import type { z } from 'zod';
import {
  managedTool,
  toolRow,
  type ManagedTool,
  type ToolContent,
  type ToolRow,
  type ToolStatus,
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
import {
  contentColumns,
  listedTable,
  openToolSearch,
  type ListedRow,
  type ToolQuery,
} from './toolSearch.ts';
import { openToolVersions } from './toolVersions.ts';

const table = defineTable('tools', {
  id: 'text',
  ...contentColumns,
  status: 'text',
  categoryId: 'text?',
  version: 'integer',
  createdAt: 'text',
  updatedAt: 'text',
  deletedAt: 'text?',
});
type StoredTool = Row<typeof table>;

/** Tools of the workshop. A deleted tool keeps its row until it is purged. */
export function openTools(context: StoreContext) {
  const { db, clock, nextId, transaction } = context;
  const versions = openToolVersions(context);
  const find = openToolSearch(context);
  const select = `SELECT ${table.columns} FROM tools`;
  const byId = db.prepare<[string], StoredTool>(`${select} WHERE id = ?`);
  const byName = db.prepare<[string], StoredTool>(
    `${select} WHERE name = ? AND deleted_at IS NULL`,
  );
  const active = db.prepare<[], StoredTool>(
    `${select} WHERE status = 'ACTIVE' AND deleted_at IS NULL ORDER BY name`,
  );
  const withSecrets = db.prepare<[], StoredTool>(
    `${select} WHERE deleted_at IS NULL AND id IN (SELECT tool_id FROM tool_versions WHERE executor_config LIKE '%\${secret:%' OR json_array_length(executor_config, '$.secrets') > 0) ORDER BY name`,
  );
  const tags = db
    .prepare<[], string>(
      'SELECT DISTINCT value FROM tools, json_each(tags) WHERE deleted_at IS NULL ORDER BY value COLLATE NOCASE, value LIMIT 1000',
    )
    .pluck();
  const insert = db.prepare<[StoredTool]>(table.insert());
  const update = db.prepare<[StoredTool]>(
    `UPDATE tools SET ${table.assignmentsExcept('id', 'createdAt')} WHERE id = :id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM tools WHERE id = ?');
  const removeDraft = db.prepare<[string]>('DELETE FROM tool_drafts WHERE id = ?');

  const existing = (id: string): ManagedTool => {
    const row = byId.get(id);
    if (row === undefined) throw notFound('Tool', id);
    return readTool(row);
  };
  const write = (statement: typeof insert, tool: ManagedTool): ManagedTool => {
    const { name } = tool.content;
    namingConflicts(
      `The tool ${name}`,
      {
        'tools.name': () => ({
          thing: `The tool ${name}`,
          cause: 'Another tool has this name.',
          nextStep: 'Choose another name.',
          field: 'name',
        }),
        'foreign key': () => ({
          thing: `The category of the tool ${name}`,
          cause: "It doesn't exist.",
          nextStep: 'Choose another one.',
          field: 'categoryId',
        }),
      },
      () => statement.run(table.toRow({ ...tool, ...tool.content })),
    );
    return readTool(requireRow(byId.get(tool.id)));
  };
  /** Reads a tool, changes a part of it, and writes it with a new time. */
  const change = (id: string, part: (old: ManagedTool) => Partial<ManagedTool>): ManagedTool =>
    transaction(() => {
      const old = existing(id);
      return write(update, { ...old, ...part(old), updatedAt: clock.now() });
    });

  return {
    /** One page by name, and the total number. */
    search: (query: ToolQuery): { rows: ToolRow[]; total: number } => {
      const { rows, total } = find(query);
      return {
        rows: rows.map(readListed),
        total,
      };
    },
    /** Tags of tools that are not deleted, by name. */
    tags: (): string[] => tags.all(),
    /** Also finds deleted tools. */
    get: (id: string): ManagedTool | null => {
      const row = byId.get(id);
      return row === undefined ? null : readTool(row);
    },
    /** Never finds a deleted tool. */
    getByName: (name: string): ManagedTool | null => {
      const row = byName.get(name);
      return row === undefined ? null : readTool(row);
    },
    /** ACTIVE tools that are not deleted, by name. */
    active: (): ManagedTool[] => active.all().map(readTool),
    /** Tools that are not deleted and whose settings name a secret, by name. */
    withSecrets: (): ManagedTool[] => withSecrets.all().map(readTool),
    /** Creates version 1 with the status DRAFT. */
    insert: (content: ToolContent, categoryId: string | null, changelog: string): ManagedTool =>
      transaction(() => {
        const at = clock.now();
        const made = write(insert, {
          id: nextId(),
          status: 'DRAFT',
          categoryId,
          version: 1,
          content,
          createdAt: at,
          updatedAt: at,
          deletedAt: null,
        });
        versions.add(made.id, 1, content, changelog);
        return made;
      }),
    /** Saves the next version. */
    save: (id: string, content: ToolContent, changelog: string): ManagedTool =>
      transaction(() => {
        const saved = change(id, ({ version }) => ({ content, version: version + 1 }));
        versions.add(id, saved.version, content, changelog);
        return saved;
      }),
    setStatus: (id: string, status: ToolStatus): ManagedTool => change(id, () => ({ status })),
    setCategory: (id: string, categoryId: string | null): ManagedTool =>
      change(id, () => ({ categoryId })),
    /** Deletes or restores it. CONFLICT where its name has been taken since. */
    setDeleted: (id: string, deleted: boolean): ManagedTool =>
      change(id, () => ({ deletedAt: deleted ? clock.now() : null })),
    /** Also deletes its versions, executions and draft. */
    purge: (id: string): void =>
      transaction(() => {
        existing(id);
        remove.run(id);
        removeDraft.run(id);
      }),
    versions,
  };
}

function readTool(row: StoredTool): ManagedTool {
  return readRow(managedTool as z.ZodType<ManagedTool>, `The tool ${row.name} (${row.id})`, () => {
    const { id, status, categoryId, version, createdAt, updatedAt, deletedAt, ...content } =
      table.fromRow(row);
    return { id, status, categoryId, version, content, createdAt, updatedAt, deletedAt };
  });
}

function readListed(row: ListedRow): ToolRow {
  return readRow(toolRow, `The tool ${row.name} (${row.id})`, () => ({
    ...listedTable.fromRow(row),
    description: row.description,
  }));
}
