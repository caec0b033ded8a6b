import type { FailureKind, RunStatus } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { TaskOutcome } from '../../../src-shared/domain/task.ts';
import type { TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import type { StoreContext } from '../storeContext.ts';

/** A run of any attempt as it is stored, without what was sent and received. */
interface StoredRun {
  id: string;
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

const common = `rowid, id, position, model_settings_id AS modelSettingsId,
  repetition, attempt, is_current AS isCurrent, status, failure, error_message AS errorMessage`;

/** What a part of an evaluation hands on, so that the parts can be merged elsewhere. */
export function openShardRuns({ db }: StoreContext) {
  const page = (columns: string) =>
    db.prepare<[string, number, number], { rowid: number }>(
      `SELECT ${common}, ${columns} FROM runs WHERE evaluation_id = ? AND rowid > ? ORDER BY rowid LIMIT ?`,
    );
  const of = {
    case: page('execution_time_ms AS executionTimeMs, observation, unreported'),
    task: page('outcome, verdict, facts'),
  };
  return {
    /** In the order in which they were planned; read in pages, so that their number doesn't matter. */
    *each<Unit extends EvaluationUnit>(
      unit: Unit,
      evaluationId: string,
    ): Generator<RunOf[Unit], void> {
      for (let after = 0; ;) {
        const rows = of[unit].all(evaluationId, after, pageSize);
        for (const { rowid: _, ...run } of rows) yield run as unknown as RunOf[Unit];
        const last = rows.at(-1);
        if (last === undefined || rows.length < pageSize) return;
        after = last.rowid;
      }
    },
  };
}
const pageSize = 500;
