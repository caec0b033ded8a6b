import type { RunStatus } from '../../../src-shared/domain/evaluation.ts';
import type { TaskEnd, TaskOutcome } from '../../../src-shared/domain/task.ts';
import type { TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import type { StoreContext } from '../storeContext.ts';

/** A run of any attempt without its trajectory. */
export interface StoredShardRun {
  id: string;
  /** Its place in the order in which the runs of the evaluation were planned. */
  place: number;
  position: number;
  modelSettingsId: string;
  repetition: number;
  attempt: number;
  isCurrent: number;
  status: RunStatus;
  outcome: TaskOutcome | null;
  failure: TaskFailure | null;
  errorMessage: string | null;
  verdict: string | null;
  facts: string | null;
}

/** What a part of an evaluation of tasks hands on, so that the parts can be merged elsewhere. */
export function openTaskShardRuns({ db }: StoreContext) {
  const all = db.prepare<[string], StoredShardRun>(
    `SELECT id, row_number() OVER (ORDER BY rowid) AS place, position, model_settings_id AS modelSettingsId,
       repetition, attempt, is_current AS isCurrent, status, outcome, failure,
       error_message AS errorMessage, verdict, facts
     FROM task_runs WHERE evaluation_id = ? ORDER BY rowid`,
  );
  const fail = db.prepare(
    `UPDATE task_runs SET status = 'failed', failure = @failure, error_message = @message,
       completed_at = @at, ending = @ending, states = iif(@ending IS NULL, NULL, '{}')
     WHERE id = @id`,
  );
  return {
    /** Runs of all parts, in the order in which they were planned. */
    list: (evaluationId: string): StoredShardRun[] => all.all(evaluationId),
    /** Takes over a run that was cut short. Without an end, it has no trajectory. */
    fail(
      id: string,
      failure: TaskFailure | null,
      message: string | null,
      { at, end }: { at: string; end: TaskEnd | null },
    ): void {
      fail.run({ id, failure, message, at, ending: end && JSON.stringify(end) });
    },
  };
}
export type TaskShardRunsStore = ReturnType<typeof openTaskShardRuns>;
