import type { z } from 'zod';
import {
  toolVersion,
  versionRow,
  type ToolContent,
  type ToolVersion,
  type VersionRow,
} from '../../../src-shared/domain/workshop.ts';
import { readRow, defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { contentColumns } from './toolSearch.ts';

const table = defineTable('tool_versions', {
  id: 'text',
  toolId: 'text',
  version: 'integer',
  changelog: 'text?',
  ...contentColumns,
  isLatest: 'flag',
  createdAt: 'text',
  updatedAt: 'text',
});
type StoredVersion = Row<typeof table>;
/** What a list shows of a version, without its content. */
const listedTable = defineTable('tool_versions', {
  version: 'integer',
  changelog: 'text?',
  name: 'text',
  isLatest: 'flag',
  createdAt: 'text',
});
type ListedVersion = Row<typeof listedTable>;

/** A version is stored whole, so that it can be restored without the ones before it. */
export function openToolVersions({ db, clock, nextId, transaction }: StoreContext) {
  const all = db.prepare<[string], ListedVersion>(
    `SELECT ${listedTable.columns} FROM tool_versions WHERE tool_id = ? ORDER BY version DESC`,
  );
  const one = db.prepare<[string, number], StoredVersion>(
    `SELECT ${table.columns} FROM tool_versions WHERE tool_id = ? AND version = ?`,
  );
  const outdate = db.prepare<[string, string]>(
    'UPDATE tool_versions SET is_latest = 0, updated_at = ? WHERE tool_id = ? AND is_latest = 1',
  );
  const insert = db.prepare<[StoredVersion]>(table.insert());

  return {
    /** Newest first. */
    list: (toolId: string): VersionRow[] => all.all(toolId).map(readListed),
    get: (toolId: string, version: number): ToolVersion | null => {
      const row = one.get(toolId, version);
      return row === undefined ? null : readVersion(row);
    },
    /** The new version becomes the latest one. Call within the transaction that changes the tool. */
    add: (toolId: string, version: number, content: ToolContent, changelog: string): void =>
      transaction(() => {
        const at = clock.now();
        outdate.run(at, toolId);
        insert.run(
          table.toRow({
            ...content,
            id: nextId(),
            toolId,
            version,
            changelog: changelog === '' ? null : changelog,
            isLatest: true,
            createdAt: at,
            updatedAt: at,
          }),
        );
      }),
  };
}

const titleOf = ({ version, name }: ListedVersion) => `Version ${version} of the tool ${name}`;

function readListed(row: ListedVersion): VersionRow {
  return readRow(versionRow, titleOf(row), () => ({
    ...listedTable.fromRow(row),
    changelog: row.changelog ?? '',
  }));
}

function readVersion(row: StoredVersion): ToolVersion {
  return readRow(toolVersion as z.ZodType<ToolVersion>, titleOf(row), () => {
    const { id: _id, toolId: _tool, updatedAt: _updated, ...rest } = table.fromRow(row);
    const { version, isLatest, createdAt, changelog, ...content } = rest;
    const name = row.name;
    return { version, name, isLatest, createdAt, changelog: changelog ?? '', content };
  });
}
