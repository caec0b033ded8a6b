import type { LastOutcome, LastOutcomesOfModel } from '../domain/lastOutcomes.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { TaskOutcome } from '../domain/task.ts';
import { counted, formatCount, formatPercent } from './numbers.ts';
import { outcomeTexts } from './outcomeTexts.ts';
import { scoredTasks, taskOutcomeTexts, tasksWithoutScore } from './taskTexts.ts';
import { scoredOf, withoutAnswer } from './verdictTexts.ts';

const isTaskOutcome = (outcome: Outcome | TaskOutcome): outcome is TaskOutcome =>
  outcome in taskOutcomeTexts;

/** Whether a case or task failed in its last scored run. */
export const failedLast = ({ passed, scored, changed }: LastOutcome): boolean =>
  !changed && passed < scored;

/** "Wrong tool", "2 of 3 passed" or, of a case that was edited since, "Changed since". */
export function lastOutcomeTitle({ outcome, passed, scored, changed }: LastOutcome): string {
  if (changed) return 'Changed since';
  if (scored > 1) return `${formatCount(passed)} of ${formatCount(scored)} passed`;
  return isTaskOutcome(outcome) ? taskOutcomeTexts[outcome].title : outcomeTexts[outcome].title;
}

/** The same in a list of several models: "openai · gpt-5-mini: Wrong tool (#6)". */
export const lastOutcomeText = (last: LastOutcome): string =>
  `${last.model}: ${lastOutcomeTitle(last)} (#${last.number})`;

/** Passed and scored runs of what a model did last. */
export const lastCounts = (of: LastOutcomesOfModel): { passed: number; scored: number } =>
  of.unit === 'case'
    ? { passed: of.outcomes.passed, scored: scoredOf(of.outcomes) }
    : { passed: of.outcomes.succeeded, scored: scoredTasks(of.outcomes) };

/** Which results the outcomes come from, and what is not counted: "#6 and #4 · 2 cases changed since". */
export function lastSourceText(of: LastOutcomesOfModel): string {
  const numbers = of.results.map(({ number }) => `#${number}`);
  const from =
    numbers.length > 3 ? [...numbers.slice(0, 2), `${numbers.length - 2} more`] : numbers;
  const unscored = of.unit === 'case' ? withoutAnswer(of.outcomes) : tasksWithoutScore(of.outcomes);
  return [
    new Intl.ListFormat('en-US').format(from),
    unscored,
    of.changed === 0 ? '' : `${counted(of.changed, of.unit)} changed since`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** "openai · gpt-5-mini: 39 of 60 runs of cases passed, 65% (#6)". */
export function lastOutcomesText(of: LastOutcomesOfModel): string {
  const { passed, scored } = lastCounts(of);
  const source = lastSourceText(of);
  const numbers =
    scored === 0
      ? `no run of a ${of.unit} was scored`
      : `${formatCount(passed)} of ${counted(scored, 'run')} of ${of.unit}s passed, ${formatPercent(of.rate.value)}`;
  return `${of.model}: ${numbers}${source === '' ? '' : ` (${source})`}`;
}
