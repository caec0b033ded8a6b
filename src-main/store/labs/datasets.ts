import { namingConflicts, defineTable } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

export type DatasetKind = 'corpus' | 'golden' | 'baseline';

/** A corpus, golden set or baseline that was added to the workspace. */
interface StoredDataset {
  kind: DatasetKind;
  version: string;
  /** The document as JSON text. */
  content: string;
  origin: string;
  createdAt: string;
}

const table = defineTable('datasets', {
  kind: 'text',
  version: 'text',
  content: 'text',
  origin: 'text',
  createdAt: 'text',
});

export function openDatasets({ db, transaction }: StoreContext) {
  const insert = db.prepare<[StoredDataset]>(table.insert());
  const byVersion = db.prepare<[string, string], StoredDataset>(
    `SELECT ${table.columns} FROM datasets WHERE kind = ? AND version = ?`,
  );
  const all = db.prepare<[string], StoredDataset>(
    `SELECT ${table.columns} FROM datasets WHERE kind = ? ORDER BY version`,
  );
  const remove = db.prepare<[string, string]>(
    'DELETE FROM datasets WHERE kind = ? AND version = ?',
  );
  return {
    /** CONFLICT where the version exists already, because a version never changes. */
    insert: (dataset: StoredDataset): void =>
      transaction(() => {
        const conflict = () => ({
          thing: `The ${dataset.kind} ${dataset.version}`,
          cause: 'This version already exists, and versions never change.',
          nextStep: 'Use the next version number.',
        });
        namingConflicts(
          `The ${dataset.kind} ${dataset.version}`,
          { 'datasets.kind, datasets.version': conflict },
          () => insert.run(dataset),
        );
      }),
    get: (kind: DatasetKind, version: string): StoredDataset | null =>
      byVersion.get(kind, version) ?? null,
    /** Ordered by version. */
    list: (kind: DatasetKind): StoredDataset[] => all.all(kind),
    delete: (kind: DatasetKind, version: string): void =>
      transaction(() => void remove.run(kind, version)),
  };
}
