import type { z } from 'zod';
import {
  toolVersion,
  versionRow,
  type ToolContent,
  type ToolVersion,
  type VersionRow,
} from '../../../src-shared/domain/workshop.ts';
import { readRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';
import { contentColumns, readContent, type ContentColumns } from './toolSearch.ts';

export interface ToolVersionStore {
  /** The newest first. */
  list(toolId: string): VersionRow[];
  get(toolId: string, version: number): ToolVersion | null;
  /** Becomes the latest one; call within the transaction that changes the tool. */
  add(toolId: string, version: number, content: ToolContent, changelog: string): void;
}

interface StoredRow extends ContentColumns {
  id: string;
  tool_id: string;
  version: number;
  changelog: string | null;
  is_latest: number;
  created_at: string;
  updated_at: string;
}

export function openToolVersions({
  db,
  clock,
  nextId,
  transaction,
}: StoreContext): ToolVersionStore {
  const all = db.prepare<
    [string],
    Pick<StoredRow, 'version' | 'changelog' | 'name' | 'is_latest' | 'created_at'>
  >(
    'SELECT version, changelog, name, is_latest, created_at FROM tool_versions WHERE tool_id = ? ORDER BY version DESC',
  );
  const one = db.prepare<[string, number], StoredRow>(
    'SELECT * FROM tool_versions WHERE tool_id = ? AND version = ?',
  );
  const outdate = db.prepare<[string, string]>(
    'UPDATE tool_versions SET is_latest = 0, updated_at = ? WHERE tool_id = ? AND is_latest = 1',
  );
  const insert = db.prepare<[StoredRow]>(`INSERT INTO tool_versions
    (id, tool_id, version, changelog, name, display_name, description, tags, executor_type, input_schema, output_schema, executor_config, script_content, is_latest, created_at, updated_at)
    VALUES (:id, :tool_id, :version, :changelog, :name, :display_name, :description, :tags, :executor_type, :input_schema, :output_schema, :executor_config, :script_content, :is_latest,
      :created_at, :updated_at)`);

  return {
    list: (toolId) =>
      all
        .all(toolId)
        .map((row) =>
          readRow(versionRow, `Version ${row.version} of the tool ${row.name}`, () => head(row)),
        ),
    get: (toolId, version) => {
      const row = one.get(toolId, version);
      if (row === undefined) return null;
      return readRow(
        toolVersion as z.ZodType<ToolVersion>,
        `Version ${row.version} of the tool ${row.name}`,
        () => ({ ...head(row), content: readContent(row) }),
      );
    },
    add: (toolId, version, content, changelog) =>
      transaction(() => {
        const at = clock.now();
        outdate.run(at, toolId);
        insert.run({
          ...contentColumns(content),
          id: nextId(),
          tool_id: toolId,
          version,
          changelog: changelog === '' ? null : changelog,
          is_latest: 1,
          created_at: at,
          updated_at: at,
        });
      }),
  };
}

function head(row: Pick<StoredRow, 'version' | 'changelog' | 'name' | 'is_latest' | 'created_at'>) {
  return {
    version: row.version,
    changelog: row.changelog ?? '',
    name: row.name,
    isLatest: row.is_latest === 1,
    createdAt: row.created_at,
  };
}
