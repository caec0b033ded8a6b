import type { ToolChange } from '../../../src-shared/contract/evaluations.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { compareSnapshots } from '../servers/listingChanges.ts';
import { toolsSeen } from '../servers/toolsSeen.ts';
import type { RunTables } from './runTables.ts';

/**
 * Finds servers whose tools differ from the frozen ones: in the last listing before the evaluation,
 * which a person may have reviewed and trusted, and in the first differing listing while it ran,
 * including the one made at its end. An empty list means that no change is known.
 */
export function findToolChanges(
  store: Store,
  { firstAt }: Pick<RunTables<{ seq: number; type: string }>['events'], 'firstAt'>,
  { id, snapshotId, completedAt }: Pick<EvaluationRow, 'id' | 'snapshotId' | 'completedAt'>,
): ToolChange[] {
  const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  const frozenAt = firstAt(id, 'ingested');
  if (snapshot === null || frozenAt === null) return [];
  return snapshot.servers.flatMap(({ server, serverId, status }): ToolChange[] => {
    if (status !== 'listed' || serverId === null) return [];
    const frozen: ToolSnapshot = {
      ...snapshot,
      servers: snapshot.servers.filter((each) => each.server === server),
      tools: snapshot.tools.filter((tool) => tool.server === server),
    };
    const seen = toolsSeen(store, serverId, frozenAt);
    const before = seen === null ? null : difference(seen.snapshot, frozen);
    const marks: ToolChange[] =
      seen === null || before === null
        ? []
        : [{ server, serverId, when: 'before', seenAt: seen.at, changes: before }];
    for (const { snapshotId: shownId, createdAt } of store.serverListings.between(
      serverId,
      frozenAt,
      completedAt ?? endOfTime,
    )) {
      const shown = store.toolSnapshots.get(shownId);
      const changes = shown === null ? null : difference(frozen, shown);
      if (changes !== null)
        return [...marks, { server, serverId, when: 'during', seenAt: createdAt, changes }];
    }
    return marks;
  });
}

/** Sorts after every timestamp, for evaluations that have not ended. */
const endOfTime = '9999';

/** The changes between two snapshots of one server, or null when there are none. */
function difference(before: ToolSnapshot, after: ToolSnapshot): ToolChange['changes'] | null {
  const changes = compareSnapshots(before, after);
  return changes.added.length + changes.removed.length + changes.changed.length === 0 &&
    changes.instructions === null
    ? null
    : changes;
}
