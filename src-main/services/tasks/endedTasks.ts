import type {
  TaskEvent,
  TaskFacts,
  TaskFailure,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { TaskVerdict, Trajectory } from '../../../src-shared/domain/task.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { WaitingRun } from '../../store/runs/runs.ts';
import type { Exchange } from '../../store/runs/steps.ts';

/** A run that has ended, with everything that is stored of it. */
export interface EndedTask {
  run: Pick<WaitingRun<'task'>, 'id'>;
  /** Why it is not scored; null for a scored run. */
  failure: TaskFailure | null;
  trajectory: Trajectory;
  exchanges: readonly Exchange[];
  /** Null: it never began. */
  verdict: TaskVerdict | null;
  facts: TaskFacts;
}

/** Stores started and ended runs with their event in one transaction, then publishes the event. */
export function writeEndedTasks(
  { store, clock, publish }: { store: Store; clock: Clock; publish: (event: TaskEvent) => void },
  evaluationId: string,
  started: readonly string[],
  ended: readonly EndedTask[],
): void {
  const at = clock.now();
  const event = store.transaction(() => {
    for (const id of started) store.runs.markRunning(id);
    const outcomes = ended.flatMap(({ run, failure, trajectory, verdict, ...rest }) => {
      const { end } = trajectory;
      // A run that was cut short counts as not run, whatever it did until then.
      const isCut = failure === 'cancelled' || failure === 'interrupted';
      const scored = failure === null && verdict !== null ? verdict.outcome : 'not_scored';
      const outcome = isCut ? null : scored;
      store.runs.finishTask({
        ...rest,
        id: run.id,
        outcome,
        failure,
        errorMessage: end.by === 'infrastructure' ? end.message : null,
        trajectory,
        verdict,
        completedAt: at,
      });
      return outcome === null ? [] : [{ runId: run.id, outcome }];
    });
    return outcomes.length > 0
      ? store.events.append(evaluationId, at, { type: 'runs', outcomes })
      : null;
  });
  if (event) publish(event);
}
