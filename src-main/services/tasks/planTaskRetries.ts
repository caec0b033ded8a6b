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
  store.runs.failRunning(id, 'interrupted', programEnded, at);
  for (const run of store.runs.failed(id)) {
    // Neither the mode nor the checks can change, so such a run would end the same way.
    if (isLastingFailure(run.failure)) continue;
    store.runs.retry(run, { id: nextId(), evaluationId: id, createdAt: at });
    yield;
  }
}
