import { isByModel, readsServer } from '../../../src-shared/domain/checkKinds.ts';
import type { TaskEnd, TaskVerdict, Trajectory } from '../../../src-shared/domain/task.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';
import { abandonedText } from '../runs/endRuns.ts';
import type { EarlyEnd } from '../runs/runTables.ts';

/** The trajectory of a run that no model was asked for. */
export const notRun = (
  message: string,
  stage: 'environment' | 'setup' = 'environment',
): Trajectory => ({
  steps: [],
  end: { by: 'infrastructure', stage, message },
  states: {},
});

/** How a run ends that is not played to its end. `earlyEnd` is aborted with what ended the evaluation. */
export function cutShort(
  error: unknown,
  earlyEnd: AbortSignal,
): { failure: TaskFailure; end: TaskEnd } {
  if (earlyEnd.aborted)
    return { failure: earlyEnd.reason as EarlyEnd, end: interrupted(abandonedText(null)) };
  return error instanceof SendingHalted
    ? { failure: 'cancelled', end: interrupted(abandonedText(error.message)) }
    : { failure: 'internal', end: notRun(errorText(error)).end };
}

const interrupted = (message: string): TaskEnd => ({
  by: 'infrastructure',
  stage: 'interrupted',
  message,
});

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
  const undecided = deciding.filter(({ passed }) => passed === null);
  if (undecided.some(readsServer)) return 'state';
  return undecided.some(isByModel) ? 'judge' : 'check';
}
