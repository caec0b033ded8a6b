import type { FailureKind, RunStatus } from '../../../src-shared/domain/evaluation.ts';
import type { StoreContext } from '../storeContext.ts';

/** A run of any attempt as it is stored, without what was sent and received. */
export interface StoredRun {
  id: string;
  /** Its place in the order in which the runs of the evaluation were planned. */
  place: number;
  position: number;
  modelSettingsId: string;
  repetition: number;
  attempt: number;
  isCurrent: number;
  status: RunStatus;
  failure: FailureKind | null;
  errorMessage: string | null;
  executionTimeMs: number | null;
  observation: string | null;
  unreported: string | null;
}

/** What a part of an evaluation hands on, so that the parts can be merged elsewhere. */
export function openShardRuns({ db }: StoreContext) {
  const all = db.prepare<[string], StoredRun>(
    `SELECT id, row_number() OVER (ORDER BY rowid) AS place, position, model_settings_id AS modelSettingsId,
       repetition, attempt, is_current AS isCurrent, status, failure, error_message AS errorMessage,
       execution_time_ms AS executionTimeMs, observation, unreported
     FROM test_runs WHERE evaluation_id = ? ORDER BY rowid`,
  );
  return {
    /** Runs of all parts, in the order in which they were planned. */
    list: (evaluationId: string): StoredRun[] => all.all(evaluationId),
  };
}
export type ShardRunsStore = ReturnType<typeof openShardRuns>;
