import type { CandidateComparison, ComparedSide } from '../domain/comparison.ts';
import type { EvaluationUnit } from '../domain/gate.ts';
import { decisivePairs } from '../metrics/mcnemar.ts';
import { counted, formatDecimal, formatPoints, formatPValue } from './numbers.ts';
import type { RichText } from './verdictTexts.ts';

type Answered = Pick<CandidateComparison, 'answer' | 'difference'>;

/**
 * The answer in words: `better`, `worse`, `within noise`, or `not comparable` if no case was scored
 * on both sides.
 */
export function answerText({ answer, difference }: Answered): string {
  if (answer !== 'cannot tell') return answer;
  return difference === null ? 'not comparable' : 'within noise';
}

/** The finding of a comparison: `#15 vs. #14: +10.0 points, within noise`. */
export function comparisonHeadline({
  baseline,
  candidates,
}: {
  baseline: Pick<ComparedSide, 'report' | 'number'>;
  candidates: readonly (Answered & Pick<CandidateComparison, 'report' | 'number'>)[];
}): RichText {
  const [only, ...others] = candidates;
  if (only && others.length === 0) {
    const points = only.difference ? `${formatPoints(only.difference.value)} points, ` : '';
    return [`${sideName(only)} vs. ${sideName(baseline)}: ${points}${answerText(only)}`];
  }
  const counts = ['better', 'worse', 'within noise', 'not comparable'].flatMap((word) => {
    const n = candidates.filter((candidate) => answerText(candidate) === word).length;
    return n === 0 ? [] : [`${n} ${word}`];
  });
  return [`${candidates.length} evaluations vs. ${sideName(baseline)}: ${counts.join(', ')}`];
}

/**
 * The answer of a comparison in one line with its numbers; the same in the window and on the
 * command line.
 */
export function describeAnswer(
  one: Pick<
    CandidateComparison,
    'unit' | 'difference' | 'adjustedP' | 'sharedCases' | 'answer' | 'needed'
  >,
): string {
  if (one.difference === null || one.adjustedP === null)
    return `Not comparable: no ${one.unit} was scored on both sides.`;
  const { value, low, high } = one.difference;
  const numbers =
    `${formatPoints(value)} points [${formatPoints(low)} to ${formatPoints(high)}], p ` +
    `${formatPValue(one.adjustedP)}, over ${counted(one.sharedCases, one.unit)}`;
  if (one.answer !== 'cannot tell')
    return `${one.answer === 'better' ? 'Better' : 'Worse'}: ${numbers}.`;
  return `Within noise: ${numbers}.${one.needed ? neededText(one.needed, one.unit) : ''}`;
}

/** How many cases would decide, and how many repetitions of those that there are. */
function neededText(
  { cases, points, repetitions }: NonNullable<CandidateComparison['needed']>,
  unit: EvaluationUnit,
): string {
  const more =
    ` A difference of ${formatDecimal(points * 100, 1)} points takes ${counted(cases, unit)} ` +
    'to show in 4 of 5 tries';
  if (repetitions === undefined) return `${more}.`;
  return repetitions === null
    ? `${more}; repeating the same ${unit}s is not enough.`
    : `${more}, or ${counted(repetitions, 'repetition')} of each shared ${unit}.`;
}

/** What a side of a comparison is called: the number of its evaluation, or its report file. */
export const sideName = ({ report, number }: Pick<ComparedSide, 'report' | 'number'>): string =>
  report ?? `#${number}`;

/** The level at which the paired test answers. */
const comparisonLevel = 0.05;

/**
 * That a comparison of so few shared cases can't find a difference, however they come out; null if it
 * can. Of several candidates, all p-values are adjusted together, so that the smallest has to reach
 * 0.05 ÷ candidates.
 */
export function tooFewToCompare(
  unit: EvaluationUnit,
  shared: number,
  candidates = 1,
): string | null {
  const needed = decisivePairs(comparisonLevel / Math.max(1, candidates));
  if (shared >= needed) return null;
  const models = candidates > 1 ? ` and ${counted(candidates, 'model')}` : '';
  return (
    `The paired test can't find a difference with ${counted(shared, `shared ${unit}`)}${models}, ` +
    `even if every ${unit} changes. It takes at least ${counted(needed, unit)}.`
  );
}
