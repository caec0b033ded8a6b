import { taskFailureTexts } from '../../../../../src-shared/display/taskTexts.ts';
import type { TaskRunDetail } from '../../../../../src-shared/domain/taskEvaluation.ts';

type Run = Pick<TaskRunDetail, 'outcome' | 'reason' | 'failure'>;

/**
 * How a run of a task came out, in one sentence, where no cause says what the model did. The whole
 * error is at the end of the trajectory.
 */
export function taskRunSentence({ outcome, reason, failure }: Run): string {
  if (outcome === null) return reason === null ? 'Not run' : `Not run: ${inSentence(reason)}`;
  if (outcome === 'succeeded') return 'The task was done';
  if (outcome === 'not_scored' && failure !== null)
    return `The run wasn’t scored: ${taskFailureTexts[failure]}`;
  const why = reason === null ? '' : `: ${inSentence(reason)}`;
  if (outcome === 'not_scored') return `The run wasn’t scored${why}`;
  return `The task wasn’t done${why}`;
}

/** A sentence after a colon. */
const inSentence = (reason: string): string =>
  reason.replace(/^(?:The|There|A|An|No) /u, (start) => start.toLowerCase());
