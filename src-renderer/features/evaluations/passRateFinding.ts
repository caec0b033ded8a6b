import { formatPercent } from '../../ui/estimate/format.ts';

interface Rate {
  name: string;
  value: number;
  low: number | null;
  high: number | null;
}

/**
 * Which side passes more. Intervals that overlap are said to, because the picture shows them; the
 * test for a difference is elsewhere.
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
  const overlap =
    best.low !== null && second.high !== null && best.low <= second.high
      ? '; the intervals overlap'
      : '';
  return `${best.name} ${verb === 'pass' ? 'passes' : 'succeeds'} most: ${both}${overlap}`;
}
