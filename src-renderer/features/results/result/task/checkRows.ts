import type { CheckResult } from '../../../../../src-shared/domain/task.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';

/** One check of one task over all its runs. */
export interface CheckRow {
  taskKey: string;
  taskName: string;
  id: string;
  kind: CheckResult['kind'];
  passed: number;
  failed: number;
  /** Runs whose check could not be judged, because its result is missing. */
  unjudged: number;
  /** A run in which it failed; null if it failed in none. */
  failedRunId: string | null;
}

/**
 * The checks of all tasks with their verdicts counted, those that failed most often first. Runs
 * that were not judged have no checks and are in no count.
 */
export function checkRows(runs: readonly TaskRunRow[]): CheckRow[] {
  const rows = new Map<string, CheckRow>();
  for (const { runId, taskKey, taskName, position, checks } of runs)
    for (const { id, kind, passed } of checks) {
      const key = JSON.stringify([position, id]);
      const known = rows.get(key) ?? {
        taskKey,
        taskName,
        id,
        kind,
        passed: 0,
        failed: 0,
        unjudged: 0,
        failedRunId: null,
      };
      rows.set(key, {
        ...known,
        passed: known.passed + (passed === true ? 1 : 0),
        failed: known.failed + (passed === false ? 1 : 0),
        unjudged: known.unjudged + (passed === null ? 1 : 0),
        failedRunId: known.failedRunId ?? (passed === false ? runId : null),
      });
    }
  return [...rows.values()].sort((a, b) => b.failed - a.failed);
}
