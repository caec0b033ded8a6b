import type { TaskEnd, TaskVerdict } from '../../../src-shared/domain/task.ts';
import type { TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';

/** The stage at which a run broke off; null for one that was played to an end of its own. */
export const failureOf = (end: TaskEnd): TaskFailure | null =>
  end.by === 'infrastructure' ? end.stage : null;

/**
 * Why a run has no score; null if it has one. Without trouble (`failure`), it lacks a check that
 * decides, the state of one, or the verdict of a judge that counts.
 */
export function whyUnscored(
  verdict: TaskVerdict | null,
  failure: TaskFailure | null,
): TaskFailure | null {
  if (verdict === null) return failure;
  if (verdict.outcome !== 'not_scored') return null;
  if (failure !== null) return failure;
  const deciding = verdict.checks.filter(({ advisory }) => advisory !== true);
  if (deciding.length === 0) return 'no_check';
  return deciding.some(({ kind, passed }) => kind === 'state' && passed === null)
    ? 'state'
    : 'judge';
}
