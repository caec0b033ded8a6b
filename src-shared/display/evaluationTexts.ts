import { type PassedRuns, passedOfModels, rateOfModels } from './modelRateTexts.ts';
import { counted, formatCount } from './numbers.ts';
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

type Counted = Pick<
  Evaluation,
  'state' | 'outcomes' | 'byModel' | 'counts' | 'settings' | 'models'
>;

/** The scored runs of each model that has some. */
export const passedByModel = ({
  outcomes,
  byModel = [outcomes],
}: Pick<Evaluation, 'outcomes' | 'byModel'>): PassedRuns[] =>
  byModel
    .map((one) => ({ passed: one.passed, scored: scoredOf(one) }))
    .filter(({ scored }) => scored > 0);

/** True if an evaluation ended before all of its runs had an answer. */
export function isResumable({ state }: Pick<Evaluation, 'state'>): boolean {
  return state === 'interrupted' || state === 'cancelled' || state === 'incomplete';
}

/**
 * The result of an evaluation in a list: `39 of 61 cases`, `39 and 27 of 61 cases` of two models,
 * `Stopped at 17 of 28`, or how far it is. Runs are counted if a case has several of one model.
 */
export function resultText(one: Counted): string {
  const { state, outcomes, counts, settings, models } = one;
  const { total } = counts;
  const ended = total - outcomes.not_run;
  if (!hasEnded(state)) return `Running: ${formatCount(ended)} of ${formatCount(total)}`;
  if (isResumable({ state }) && ended < total)
    return `Stopped at ${formatCount(ended)} of ${formatCount(total)}`;
  return passedOfModels(passedByModel(one), settings.repetitions === 1 ? 'case' : 'run', models);
}

/** The pass rates of the models of an evaluation that has ended, `64%`; empty while there is none. */
export const rateText = (one: Pick<Evaluation, 'state' | 'outcomes' | 'byModel'>): string =>
  hasEnded(one.state) ? rateOfModels(passedByModel(one)) : '';

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
