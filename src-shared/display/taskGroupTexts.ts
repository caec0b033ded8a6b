import type { TaskGroup, TaskGrouping } from '../domain/taskGroup.ts';
import { formatCount } from './numbers.ts';

export const groupingTexts: Readonly<Record<TaskGrouping, string>> = {
  task: 'Task',
  tag: 'Tag',
  server: 'Server',
  difficulty: 'Difficulty',
};

/** `3 of 5`, with the runs that are not scored: `3 of 4, 1 not scored`. */
export const succeededText = ({ succeeded, scored, notScored }: TaskGroup): string =>
  `${formatCount(succeeded)} of ${formatCount(scored)}` +
  (notScored > 0 ? `, ${formatCount(notScored)} not scored` : '');

/** The checks that failed or could not be judged: `stored 3 of 5, said 1 of 5 (2 not judged)`. */
export const failedChecksText = ({ checks }: TaskGroup): string =>
  checks
    .filter(({ failed, unjudged }) => failed + unjudged > 0)
    .map(
      ({ check, passed, failed, unjudged }) =>
        `${check} ${formatCount(failed)} of ${formatCount(passed + failed)}` +
        (unjudged > 0 ? ` (${formatCount(unjudged)} not judged)` : ''),
    )
    .join(', ');

/** Equal failures with their number of runs: `3 × no call of s:add, 1 × limit of 12 steps`. */
export const groupFailuresText = ({ failures }: TaskGroup): string =>
  failures.map(({ cause, runs }) => `${formatCount(runs)} × ${cause}`).join(', ');
