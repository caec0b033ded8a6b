import type { Estimate } from '../domain/metrics.ts';

/** The 97.5 % point of the standard normal distribution. */
const Z95 = 1.959963984540054;

export interface Interval {
  low: number;
  high: number;
}

/**
 * Wilson's score interval for k successes in n trials (docs/rules.md §3, Metrics; Wilson, JASA 22
 * (1927) 209–212): (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n). Requires 0 ≤ k ≤ n; null
 * if n is 0. Both ends are in 0–1.
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

/** A proportion k/n with its 95% Wilson interval; all null if n is 0. */
export function proportion(k: number, n: number): Estimate {
  const interval = wilson(k, n);
  return {
    value: n === 0 ? null : k / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
  };
}

/**
 * F1 = 2J/(1+J), where J = TP/(TP+FP+FN). It increases with J, so both ends of an interval can be
 * mapped.
 */
function f1OfJaccard(j: number): number {
  return (2 * j) / (1 + j);
}

/**
 * F1 = 2·TP/(2·TP+FP+FN) with the 95% Wilson interval of J = TP/(TP+FP+FN) mapped by 2J/(1+J)
 * (docs/rules.md §3, Metrics). n = TP+FP+FN; all null if n is 0.
 */
export function f1(tp: number, fp: number, fn: number): Estimate {
  const n = tp + fp + fn;
  const interval = wilson(tp, n);
  if (!interval) return { value: null, low: null, high: null, n };
  return {
    value: f1OfJaccard(tp / n),
    low: f1OfJaccard(interval.low),
    high: f1OfJaccard(interval.high),
    n,
  };
}

/** Replaces the interval of an estimate; an estimate without a value has none. */
export function withInterval(estimate: Estimate, interval: Interval | null): Estimate {
  return estimate.value === null
    ? estimate
    : { ...estimate, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** Maps an interval of J = TP/(TP+FP+FN) to one of F1. */
export function mapF1(interval: Interval | null): Interval | null {
  return interval && { low: f1OfJaccard(interval.low), high: f1OfJaccard(interval.high) };
}
