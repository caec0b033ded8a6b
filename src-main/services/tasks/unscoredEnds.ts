import type { Trajectory } from '../../../src-shared/domain/task.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';
import { abandonedText, type EarlyEnd } from '../evaluations/run/endEvaluation.ts';

/** The trajectory of a run that no model was asked for. */
export const notRun = (message: string): Trajectory => ({
  steps: [],
  end: { by: 'infrastructure', stage: 'environment', message },
  states: {},
});

/** Why a run was not played to its end. `earlyEnd` is aborted with what ended the evaluation. */
export function cutShort(
  error: unknown,
  earlyEnd: AbortSignal,
): { failure: TaskFailure; message: string } {
  if (earlyEnd.aborted)
    return { failure: earlyEnd.reason as EarlyEnd, message: abandonedText(null) };
  return error instanceof SendingHalted
    ? { failure: 'cancelled', message: abandonedText(error.message) }
    : { failure: 'internal', message: errorText(error) };
}
