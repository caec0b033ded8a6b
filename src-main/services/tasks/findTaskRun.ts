import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Store } from '../../store/store.ts';
import { findRow, taskTables } from '../runs/runTables.ts';

/** A run with its frozen task and, once it has ended, its trajectory. Throws NOT_FOUND. */
export function findTaskRun(store: Store, { id: named, runId }: { id: string; runId: string }) {
  const { id } = findRow(taskTables(store), named);
  const found = store.playedTasks.get(id, runId);
  const [task] = found ? store.entries.at('task', id, [found.run.position]) : [];
  if (!found || !task)
    throw new ServiceError('NOT_FOUND', {
      thing: `Run ${runId}`,
      cause: "It doesn't exist in this evaluation.",
      nextStep: 'Choose one from the list of runs.',
    });
  return { ...found, id, task };
}
