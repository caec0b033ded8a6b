import type { z } from 'zod';
import {
  managedTool,
  toolRow,
  type ManagedTool,
  type ToolContent,
  type ToolRow,
  type ToolStatus,
} from '../../../src-shared/domain/workshop.ts';
import { namingConflicts, notFound } from '../database/conflict.ts';
import { json, readRow, requireRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';
import {
  contentColumns,
  openToolSearch,
  readContent,
  type ContentColumns,
  type ToolQuery,
} from './toolSearch.ts';
import { openToolVersions, type ToolVersionStore } from './toolVersions.ts';

export interface ToolStore {
  /** One page by name, and how many there are in all. */
  search(query: ToolQuery): { rows: ToolRow[]; total: number };
  /** Those of tools that are not deleted, by name. */
  tags(): string[];
  /** Deleted ones as well. */
  get(id: string): ManagedTool | null;
  /** Never a deleted one. */
  getByName(name: string): ManagedTool | null;
  /** ACTIVE ones that are not deleted, by name. */
  active(): ManagedTool[];
  /** Version 1, as DRAFT. */
  insert(content: ToolContent, categoryId: string | null, changelog: string): ManagedTool;
  /** The next version. */
  save(id: string, content: ToolContent, changelog: string): ManagedTool;
  setStatus(id: string, status: ToolStatus): ManagedTool;
  setCategory(id: string, categoryId: string | null): ManagedTool;
  /** Marks it deleted, or takes the mark away: CONFLICT where its name has been taken since. */
  setDeleted(id: string, deleted: boolean): ManagedTool;
  /** With its versions, executions and draft. */
  purge(id: string): void;
  versions: ToolVersionStore;
}

interface StoredRow extends ContentColumns {
  id: string;
  status: string;
  category_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export function openTools(context: StoreContext): ToolStore {
  const { db, clock, nextId, transaction } = context;
  const versions = openToolVersions(context);
  const find = openToolSearch(context);
  const byId = db.prepare<[string], StoredRow>('SELECT * FROM tools WHERE id = ?');
  const byName = db.prepare<[string], StoredRow>(
    'SELECT * FROM tools WHERE name = ? AND deleted_at IS NULL',
  );
  const active = db.prepare<[], StoredRow>(
    "SELECT * FROM tools WHERE status = 'ACTIVE' AND deleted_at IS NULL ORDER BY name",
  );
  const tags = db
    .prepare<[], string>(
      'SELECT DISTINCT value FROM tools, json_each(tags) WHERE deleted_at IS NULL ORDER BY value COLLATE NOCASE, value LIMIT 1000',
    )
    .pluck();
  const insert = db.prepare<[StoredRow]>(`INSERT INTO tools
    (id, name, display_name, description, status, category_id, tags, input_schema, output_schema, script_content, executor_type, executor_config, version, created_at, updated_at, deleted_at)
    VALUES (:id, :name, :display_name, :description, :status, :category_id, :tags, :input_schema, :output_schema, :script_content, :executor_type, :executor_config, :version,
      :created_at, :updated_at, :deleted_at)`);
  const update = db.prepare<
    [StoredRow]
  >(`UPDATE tools SET name = :name, display_name = :display_name, description = :description, status = :status, category_id = :category_id, tags = :tags,
    input_schema = :input_schema, output_schema = :output_schema, script_content = :script_content, executor_type = :executor_type, executor_config = :executor_config,
    version = :version, updated_at = :updated_at, deleted_at = :deleted_at WHERE id = :id`);
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
          cause: 'It does not exist (any more).',
          nextStep: 'Choose another one.',
          field: 'categoryId',
        }),
      },
      () => statement.run(toRow(tool)),
    );
    return readTool(requireRow(byId.get(tool.id)));
  };
  const change = (id: string, part: (old: ManagedTool) => Partial<ManagedTool>): ManagedTool =>
    transaction(() => {
      const old = existing(id);
      return write(update, { ...old, ...part(old), updatedAt: clock.now() });
    });

  return {
    search: (query) => {
      const { rows, total } = find(query);
      return {
        rows: rows.map((row) =>
          readRow(toolRow, `The tool ${row.name} (${row.id})`, () => listed(row)),
        ),
        total,
      };
    },
    tags: () => tags.all(),
    get: (id) => {
      const row = byId.get(id);
      return row === undefined ? null : readTool(row);
    },
    getByName: (name) => {
      const row = byName.get(name);
      return row === undefined ? null : readTool(row);
    },
    active: () => active.all().map(readTool),
    insert: (content, categoryId, changelog) =>
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
    save: (id, content, changelog) =>
      transaction(() => {
        const saved = change(id, ({ version }) => ({ content, version: version + 1 }));
        versions.add(id, saved.version, content, changelog);
        return saved;
      }),
    setStatus: (id, status) => change(id, () => ({ status })),
    setCategory: (id, categoryId) => change(id, () => ({ categoryId })),
    setDeleted: (id, deleted) => change(id, () => ({ deletedAt: deleted ? clock.now() : null })),
    purge: (id) =>
      transaction(() => {
        existing(id);
        remove.run(id);
        removeDraft.run(id);
      }),
    versions,
  };
}

function readTool(row: StoredRow): ManagedTool {
  return readRow(managedTool as z.ZodType<ManagedTool>, `The tool ${row.name} (${row.id})`, () => ({
    id: row.id,
    status: row.status,
    categoryId: row.category_id,
    version: row.version,
    content: readContent(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  }));
}

function toRow(tool: ManagedTool): StoredRow {
  return {
    ...contentColumns(tool.content),
    id: tool.id,
    status: tool.status,
    category_id: tool.categoryId,
    version: tool.version,
    created_at: tool.createdAt,
    updated_at: tool.updatedAt,
    deleted_at: tool.deletedAt,
  };
}

function listed(row: ReturnType<ReturnType<typeof openToolSearch>>['rows'][number]): unknown {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    status: row.status,
    categoryId: row.category_id,
    tags: json(row.tags),
    executorType: row.executor_type,
    version: row.version,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}
