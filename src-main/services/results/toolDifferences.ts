import type { ToolChanges } from '../../../src-shared/domain/comparison.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { Store } from '../../store/store.ts';

/**
 * The ids of tools that were added, removed or changed between two snapshots. Null stands for no
 * tools.
 */
export function toolDifferences(
  store: Store,
  before: string | null,
  after: string | null,
): ToolChanges {
  if (before === after) return { added: [], removed: [], changed: [] };
  return changesBetween(toolHashes(store, before), toolHashes(store, after));
}

export const toolHashes = (store: Store, snapshotId: string | null): Map<string, string> =>
  new Map(
    snapshotId === null
      ? []
      : store.resultQueries
          .toolHashes(snapshotId)
          .map(({ server, name, hash }) => [toolId(server, name), hash]),
  );

/** The ids that differ between two sets of tools, each given by id and hash. */
export function changesBetween(
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): ToolChanges {
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed: [...now].filter(([id, hash]) => old.has(id) && old.get(id) !== hash).map(([id]) => id),
  };
}

export function hasChanges({ added, removed, changed }: ToolChanges): boolean {
  return added.length + removed.length + changed.length > 0;
}
