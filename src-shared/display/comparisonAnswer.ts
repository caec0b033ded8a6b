import type { CandidateComparison } from '../domain/comparison.ts';
import { counted, formatDecimal, formatPoints, formatPValue } from './numbers.ts';

/**
 * The answer of a comparison in one line with its numbers; the same in the window and on the
 * command line.
 */
export function describeAnswer(
  one: Pick<CandidateComparison, 'difference' | 'adjustedP' | 'sharedCases' | 'answer' | 'needed'>,
): string {
  if (one.difference === null || one.adjustedP === null)
    return 'Cannot tell: no case was scored on both sides.';
  const { value, low, high } = one.difference;
  const numbers =
    `${formatPoints(value)} points [${formatPoints(low)} to ${formatPoints(high)}], p ` +
    `${formatPValue(one.adjustedP)}, over ${counted(one.sharedCases, 'case')}`;
  if (one.answer !== 'cannot tell')
    return `${one.answer === 'better' ? 'Better' : 'Worse'}: ${numbers}.`;
  const needed = one.needed
    ? ` ${counted(one.needed.cases, 'case')} would show a difference of ` +
      `${formatDecimal(one.needed.points * 100, 1)} points in 4 of 5 tries.`
    : '';
  return `Cannot tell: ${numbers}.${needed}`;
}
