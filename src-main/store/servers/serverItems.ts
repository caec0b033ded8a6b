import type { ItemKind } from '../../../src-shared/domain/itemKinds.ts';
import {
  itemKey,
  snapshotItem,
  type ReceivedItem,
  type SnapshotItem,
} from '../../../src-shared/domain/serverItem.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { json, readRow } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ItemReference {
  kind: ItemKind;
  key: string;
  hash: string;
}

export interface PreparedItem extends ItemReference {
  name: string;
  title: string | null;
  description: string;
  item: string;
  raw: string;
}

interface ItemRow {
  hash: string;
  name: string;
  title: string | null;
  description: string;
  item: string;
}

/**
 * Identifies an item's content. The kind is part of it, so that no text of an item is taken for
 * that of a tool.
 */
const hashItem = (kind: ItemKind, raw: string): string => sha256(`${kind}\n${raw}`);

/**
 * Prompts, resources and resource templates of listings. Their contents are stored like those of
 * tools, so that tokens are counted and first listings found in the same way.
 */
export function openServerItems({ db, clock, redact, transaction }: StoreContext) {
  const insertContent = db.prepare<[Omit<PreparedItem, 'kind' | 'key'> & { created_at: string }]>(
    `INSERT INTO tool_contents (hash, name, title, description, input_schema, item, raw, created_at)
     VALUES (:hash, :name, :title, :description, '{}', :item, :raw, :created_at) ON CONFLICT (hash) DO NOTHING`,
  );
  const insertItem = db.prepare<[string, number, ItemKind, string, string]>(
    `INSERT INTO snapshot_items (snapshot_id, position, kind, key, item_hash) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const referencesOf = db.prepare<[string], ItemReference>(
    'SELECT kind, key, item_hash AS hash FROM snapshot_items WHERE snapshot_id = ? ORDER BY position',
  );
  const itemsOf = db.prepare<[string], ItemRow>(
    `SELECT c.hash, c.name, c.title, c.description, c.item FROM snapshot_items i
     JOIN tool_contents c ON c.hash = i.item_hash WHERE i.snapshot_id = ? ORDER BY i.position`,
  );
  return {
    prepare({ item, raw: received }: ReceivedItem): PreparedItem {
      const { kind, name, title, description, uri, mimeType } = item;
      const raw = redact(received);
      const about = { kind, uri, mimeType, arguments: item.arguments };
      return {
        ...{ kind, key: itemKey(item), hash: hashItem(kind, raw) },
        ...{ name, title, description, item: JSON.stringify(about), raw },
      };
    },
    /** Stores contents. Nothing refers to them before `link`. */
    keep: (items: readonly PreparedItem[]): void =>
      transaction(() => {
        const created_at = clock.now();
        for (const { kind: _kind, key: _key, ...content } of items)
          insertContent.run({ ...content, created_at });
      }),
    /** Connects a snapshot with its items. Doing it again changes nothing. */
    link: (snapshotId: string, items: readonly ItemReference[]): void =>
      transaction(() => {
        for (const [position, { kind, key, hash }] of items.entries())
          insertItem.run(snapshotId, position, kind, key, hash);
      }),
    references: (snapshotId: string): ItemReference[] => referencesOf.all(snapshotId),
    /** The items of a snapshot of one server, in their order. */
    of: (snapshotId: string, server: string): SnapshotItem[] =>
      itemsOf.all(snapshotId).map(({ item, ...row }) =>
        readRow(snapshotItem, `The listed item ${row.name}`, () => ({
          ...(json(item) as object),
          ...row,
          server,
        })),
      ),
  };
}
