import type { Answer } from '../../../src-shared/domain/comparison.ts';
import { formatPercent } from '../../ui/estimate/format.ts';

interface Rate {
  name: string;
  value: number;
  /** What the paired test says of it against the best one; absent: the two were not tested. */
  vsBest?: Answer | undefined;
}

/**
 * Which side passes more, and whether the paired test can tell it from the next one. Overlapping
 * intervals say nothing about that: both sides ran the same cases.
 */
export function passRateFinding(
  rates: readonly Rate[],
  rateName: 'Pass rate' | 'Success rate' = 'Pass rate',
): string {
  const verb = rateName === 'Success rate' ? 'succeed' : 'pass';
  const [best, second] = rates.toSorted((a, b) => b.value - a.value);
  if (!best || !second) return rateName;
  const both = `${formatPercent(best.value)} vs. ${formatPercent(second.value)}`;
  if (best.value === second.value) return `${best.name} and ${second.name} ${verb} equally often`;
  const noise = second.vsBest === 'cannot tell' ? ', within noise' : '';
  return `${best.name} ${verb === 'pass' ? 'passes' : 'succeeds'} most: ${both}${noise}`;
}
