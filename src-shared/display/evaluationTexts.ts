import { counted, formatCount, formatPercent } from './numbers.ts';
import type { Evaluation, EvaluationSummary } from '../domain/evaluation.ts';
import { hasEnded } from '../domain/evaluationState.ts';
import type { ArgumentsMode } from '../domain/testCase.ts';
import type { ToolSource } from '../domain/toolSource.ts';
import { scoredOf } from './verdictTexts.ts';

export const toolSourceTexts: Readonly<Record<ToolSource, string>> = {
  servers: 'Servers, asked when it ran',
  snapshot: 'Snapshot: a file, no server was started',
  recording: 'Recording: the tools that were recorded, no server was started',
  what_if: 'Changed copy of the tools of another evaluation',
};

/** What each mode accepts, as forms and reports say it. */
export const argumentsModeTexts: Readonly<Record<ArgumentsMode, string>> = {
  'at-least': 'At least the listed ones',
  exact: 'Exactly the listed ones',
};

/** In their order, without the schemas that hold it: the first paint loads none. */
const modes = Object.keys(argumentsModeTexts) as ArgumentsMode[];

/** Cases of an evaluation by the mode that decides them. */
export type ModeCounts = Readonly<Record<ArgumentsMode, number>>;

/** The mode of all cases, or of how many: `exact`, `exact in 3 cases, at-least in 4 cases`. */
export function argumentsModeText(counts: ModeCounts): string {
  const used = modes.filter((mode) => counts[mode] > 0);
  const [only = 'at-least', ...others] = used;
  return others.length === 0
    ? only
    : used.map((mode) => `${mode} in ${counted(counts[mode], 'case')}`).join(', ');
}

type Counted = Pick<Evaluation, 'state' | 'outcomes' | 'counts' | 'settings' | 'models'>;

/** True if an evaluation ended before all of its runs had an answer. */
export function isResumable({ state }: Pick<Evaluation, 'state'>): boolean {
  return state === 'interrupted' || state === 'cancelled' || state === 'incomplete';
}

/**
 * The result of an evaluation in a list: `39 of 61 cases`, `Stopped at 17 of 28`, or how far it is.
 * Runs are counted if a case has several.
 */
export function resultText({ state, outcomes, counts, settings, models }: Counted): string {
  const { total } = counts;
  const ended = total - outcomes.not_run;
  if (!hasEnded(state)) return `Running: ${formatCount(ended)} of ${formatCount(total)}`;
  if (isResumable({ state }) && ended < total)
    return `Stopped at ${formatCount(ended)} of ${formatCount(total)}`;
  const noun = settings.repetitions * models.length === 1 ? 'case' : 'run';
  const scored = scoredOf(outcomes);
  if (scored === 0) return `No ${noun} was scored`;
  return `${formatCount(outcomes.passed)} of ${counted(scored, noun)}`;
}

/** The pass rate of an evaluation that has ended, `64%`; empty while there is none. */
export function rateText({ state, outcomes }: Pick<Evaluation, 'state' | 'outcomes'>): string {
  const scored = scoredOf(outcomes);
  return hasEnded(state) && scored > 0 ? formatPercent(outcomes.passed / scored) : '';
}

/**
 * How many answers came from the cache: `12 of 61 answers`; null if there was no cache. Also none
 * is shown if there was one.
 */
export function cacheText(
  { settings }: Pick<Evaluation, 'settings'>,
  { cachedAnswers, usage }: Pick<EvaluationSummary, 'cachedAnswers' | 'usage'>,
): string | null {
  if (settings.cacheFolder === null && cachedAnswers === 0) return null;
  return `${formatCount(cachedAnswers)} of ${counted(usage.all.answers, 'answer')}`;
}
