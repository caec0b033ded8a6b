import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import { programEnded } from '../evaluations/run/endEvaluation.ts';

/**
 * Marks evaluations of processes that are gone as interrupted. Runs that were under way fail; a
 * resume repeats them from the start.
 */
export function recoverTaskEvaluations({ store, clock }: { store: Store; clock: Clock }): void {
  store.taskEvaluations.purgeDeleted();
  for (const { id } of store.taskEvaluations.unfinished()) {
    const at = clock.now();
    store.transaction(() => {
      store.taskRuns.failRunning(id, 'interrupted', programEnded, at);
      store.taskEvaluations.setState(id, {
        state: 'interrupted',
        reason: programEnded,
        owner: null,
        startedAt: null,
        completedAt: at,
      });
      store.taskEvents.append(id, at, {
        type: 'ended',
        state: 'interrupted',
        reason: programEnded,
      });
    });
  }
}
