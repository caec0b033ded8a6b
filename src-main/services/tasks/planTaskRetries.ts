import { isLastingFailure } from '../../../src-shared/display/taskTexts.ts';
import type { NextId } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import { programEnded } from '../runs/endRuns.ts';

/** Replaces each run of an evaluation that has no score by another attempt, one per step. */
export function* planTaskRetries(
  { store, nextId }: { store: Store; nextId: NextId },
  id: string,
  at: string,
): Generator<undefined, void> {
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
    yield;
  }
}
