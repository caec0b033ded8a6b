import type { Estimate } from '../domain/metrics.ts';
import { Z95 } from './studentT.ts';

export interface Interval {
  low: number;
  high: number;
}

/**
 * Wilson's score interval for k successes in n trials (docs/rules.md §3, Intervals; Wilson, JASA 22
 * (1927) 209–212): (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n). Requires 0 ≤ k ≤ n, not
 * necessarily whole; null if n is 0. Both ends are in 0–1.
 */
export function wilson(k: number, n: number, z: number = Z95): Interval | null {
  if (n === 0) return null;
  const p = k / n;
  const zz = z * z;
  const middle = p + zz / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + zz / (4 * n * n));
  const scale = 1 + zz / n;
  // At k = 0 and k = n the two terms are equal; rounding must not leave 1e-17 instead of 0.
  return {
    low: k === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: k === n ? 1 : Math.min(1, (middle + half) / scale),
  };
}

/**
 * A proportion k/n of independent items with its 95% Wilson interval; all null if n is 0. Rates of an
 * evaluation are never that: they come from `clusteredRatio`.
 */
export function proportion(k: number, n: number): Estimate {
  const interval = wilson(k, n);
  return {
    value: n === 0 ? null : k / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
  };
}
