import type { CandidateComparison } from '../domain/comparison.ts';

/** Formats a difference of shares in percentage points, with a sign: `+6.2`, `−1.0`, `0.0`. */
export function formatPoints(share: number): string {
  const size = (Math.abs(share) * 100).toFixed(1);
  if (size === '0.0') return size;
  return `${share > 0 ? '+' : '−'}${size}`;
}

/** Formats a p-value so that it never reads as 0, and never as 0.05 or less if it is more. */
export function formatPValue(p: number): string {
  if (p < 0.0001) return '< 0.0001';
  if (p > 0.05 && p < 0.0505) return '> 0.05';
  return p.toFixed(p < 0.01 ? 4 : 3);
}

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
    `${formatPValue(one.adjustedP)}, over ${one.sharedCases} ` +
    (one.sharedCases === 1 ? 'case' : 'cases');
  if (one.answer !== 'cannot tell')
    return `${one.answer === 'better' ? 'Better' : 'Worse'}: ${numbers}.`;
  const needed = one.needed
    ? ` ${one.needed.cases} cases would show a difference of ` +
      `${(one.needed.points * 100).toFixed(1)} points in 4 of 5 tries.`
    : '';
  return `Cannot tell: ${numbers}.${needed}`;
}
