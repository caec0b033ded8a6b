import { isLastingFailure } from '../../../src-shared/display/taskTexts.ts';
import type { TaskEvent } from '../../../src-shared/domain/taskEvaluation.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import { programEnded } from '../runs/endRuns.ts';

/**
 * Plans another attempt for each run of an evaluation that has no score, in one transaction. Returns
 * the event, to be published.
 */
export function planTaskRetries(
  { store, clock, nextId }: { store: Store; clock: Clock; nextId: NextId },
  id: string,
): TaskEvent {
  const at = clock.now();
  return store.transaction(() => {
    store.taskRuns.failRunning(id, 'interrupted', programEnded, at);
    for (const run of store.taskRuns.list(id)) {
      // Neither the mode nor the checks can change, so such a run would end the same way.
      if (run.status !== 'failed' || isLastingFailure(run.failure)) continue;
      store.taskRuns.supersede(run.id);
      const { modelSettingsId, position, repetition, attempt } = run;
      store.taskRuns.insert({
        id: nextId(),
        evaluationId: id,
        modelSettingsId,
        position,
        repetition,
        attempt: attempt + 1,
        createdAt: at,
      });
    }
    return store.taskEvents.append(id, at, {
      type: 'resumed',
      runs: store.taskRuns.countOpen(id),
    });
  });
}
