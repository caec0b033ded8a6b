import type { FailureKind, RunStatus } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { TaskOutcome } from '../../../src-shared/domain/task.ts';
import type { TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import type { StoreContext } from '../storeContext.ts';

/** A run of any attempt as it is stored, without what was sent and received. */
interface StoredRun {
  id: string;
  /** Its place in the order in which the runs of the evaluation were planned. */
  place: number;
  position: number;
  modelSettingsId: string;
  repetition: number;
  attempt: number;
  isCurrent: number;
  status: RunStatus;
  errorMessage: string | null;
}

interface RunOf {
  case: StoredRun & {
    failure: FailureKind | null;
    executionTimeMs: number | null;
    observation: string | null;
    unreported: string | null;
  };
  task: StoredRun & {
    outcome: TaskOutcome | null;
    failure: TaskFailure | null;
    verdict: string | null;
    facts: string | null;
  };
}

const common = `id, row_number() OVER (ORDER BY rowid) AS place, position, model_settings_id AS modelSettingsId,
  repetition, attempt, is_current AS isCurrent, status, failure, error_message AS errorMessage`;

/** What a part of an evaluation hands on, so that the parts can be merged elsewhere. */
export function openShardRuns({ db }: StoreContext) {
  const all = (columns: string) =>
    db.prepare<[string]>(
      `SELECT ${common}, ${columns} FROM runs WHERE evaluation_id = ? ORDER BY rowid`,
    );
  const of = {
    case: all('execution_time_ms AS executionTimeMs, observation, unreported'),
    task: all('outcome, verdict, facts'),
  };
  return {
    /** Runs of all parts, in the order in which they were planned. */
    list: <Unit extends EvaluationUnit>(unit: Unit, evaluationId: string): RunOf[Unit][] =>
      of[unit].all(evaluationId) as RunOf[Unit][],
  };
}
export type ShardRunsStore = ReturnType<typeof openShardRuns>;
