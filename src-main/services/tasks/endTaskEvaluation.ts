import { shardReason, type Shard } from '../../../src-shared/domain/shard.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { TaskEvent } from '../../../src-shared/domain/taskEvaluation.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import { abandonedText, programEnded, type EarlyEnd } from '../evaluations/run/endEvaluation.ts';

/**
 * Stores the final state of an evaluation of tasks with its reason and fails the runs still under
 * way. Returns the last event, to be published.
 */
export function endTaskEvaluation(
  { store, clock }: { store: Store; clock: Pick<Clock, 'now'> },
  id: string,
  {
    endedBy,
    stopReason,
    shard,
  }: { endedBy: EarlyEnd | null; stopReason: string | null; shard: Shard | null },
): TaskEvent {
  const at = clock.now();
  return store.transaction(() => {
    store.taskRuns.failRunning(
      id,
      endedBy ?? 'cancelled',
      abandonedText(endedBy === null ? stopReason : null),
      at,
    );
    const { not_scored: unscored, not_run: open } = store.taskEvaluations.outcomes(id);
    const state: EvaluationState =
      endedBy ?? (unscored + open > 0 || stopReason !== null ? 'incomplete' : 'completed');
    const reason =
      stopReason ??
      (endedBy === 'interrupted'
        ? programEnded
        : unscored > 0 && endedBy === null
          ? `${unscored} of the runs could not be scored.`
          : shard !== null && endedBy === null
            ? shardReason(shard)
            : null);
    store.taskEvaluations.setState(id, {
      state,
      reason,
      owner: null,
      startedAt: null,
      completedAt: at,
    });
    return store.taskEvents.append(id, at, { type: 'ended', state, reason });
  });
}
