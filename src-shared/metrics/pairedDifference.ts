import { wilson, type Interval } from './intervals.ts';

/** Paired cases by their outcome on both sides. */
export interface PairCounts {
  bothPassed: number;
  /** Passed before, failed now. */
  lost: number;
  /** Failed before, passed now. */
  won: number;
  bothFailed: number;
}

export interface Difference extends Interval {
  value: number;
}

/**
 * Difference of two paired proportions, now − before = (won − lost)/n, with its 95% interval by
 * Newcombe's method 10 (docs/rules.md §3, Comparisons; Newcombe, Stat. Med. 17 (1998) 2635–2650):
 * combines the Wilson intervals of both proportions with their correlation φ, whose numerator is
 * reduced by n/2 if positive, but not below 0. Range −1 to 1; null if no case is paired.
 */
export function pairedDifference({
  bothPassed,
  lost,
  won,
  bothFailed,
}: PairCounts): Difference | null {
  const n = bothPassed + lost + won + bothFailed;
  const [rightNow, rightBefore] = [bothPassed + won, bothPassed + lost];
  const [now, before] = [wilson(rightNow, n), wilson(rightBefore, n)];
  if (now === null || before === null) return null;
  const value = (won - lost) / n;
  const [p, q] = [rightNow / n, rightBefore / n];
  const phi = correlation(
    bothPassed * bothFailed - lost * won,
    n,
    rightNow * (n - rightNow) * rightBefore * (n - rightBefore),
  );
  const down = combine(p - now.low, before.high - q, phi);
  const up = combine(now.high - p, q - before.low, phi);
  return { value, low: Math.max(-1, value - down), high: Math.min(1, value + up) };
}

function correlation(excess: number, n: number, margins: number): number {
  if (margins === 0) return 0;
  return (excess > 0 ? Math.max(0, excess - n / 2) : excess) / Math.sqrt(margins);
}

function combine(a: number, b: number, phi: number): number {
  return Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b));
}
