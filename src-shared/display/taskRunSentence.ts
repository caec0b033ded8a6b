import { counted, formatCount } from './numbers.ts';
import { failedText } from './runCauseTexts.ts';
import { taskFailureTexts } from './taskTexts.ts';
import type { RichText } from './verdictTexts.ts';
import { wasSent } from '../domain/task.ts';
import type { TaskRunDetail } from '../domain/taskEvaluation.ts';

type Run = Pick<TaskRunDetail, 'outcome' | 'reason' | 'failure' | 'cause' | 'trajectory'>;

/**
 * How a run of a task came out, in one sentence: what the model did if it failed, and what was not
 * executed if it passed. The whole error is at the end of the trajectory.
 */
export function taskRunSentence(run: Run): RichText {
  const { outcome, reason, failure, cause } = run;
  if (cause !== null) return failedText(cause);
  if (outcome === null) return [reason === null ? 'Not run' : `Not run: ${inSentence(reason)}`];
  if (outcome === 'succeeded') return [passedText(run)];
  if (outcome === 'not_scored' && failure !== null)
    return [`The run wasn’t scored: ${taskFailureTexts[failure]}`];
  const why = reason === null ? '' : `: ${inSentence(reason)}`;
  return [`${outcome === 'not_scored' ? 'The run wasn’t scored' : 'The task wasn’t done'}${why}`];
}

/** A task is done only if its calls were executed; else its checks passed on what answered them. */
function passedText({ trajectory }: Run): string {
  const calls = trajectory?.steps.flatMap((step) => step.calls) ?? [];
  const missing = calls.filter(({ answeredBy }) => !wasSent(answeredBy)).length;
  if (missing === 0) return 'The task was done';
  const what =
    missing === calls.length
      ? 'no tool was executed'
      : `${formatCount(missing)} of ${counted(calls.length, 'call')} ${missing === 1 ? 'was' : 'were'} not executed`;
  return `All checks passed, but ${what}`;
}

/** A sentence after a colon. */
const inSentence = (reason: string): string =>
  reason.replace(/^(?:The|There|A|An|No) /u, (start) => start.toLowerCase());
