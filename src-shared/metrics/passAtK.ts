import type { RateEnds } from '../domain/metrics.ts';
import { clusteredRatio, type Share } from './clusteredInterval.ts';

/** A case's scored repetitions and how many of them passed. */
export interface RepeatedCase {
  n: number;
  passed: number;
  /**
   * What the interval takes as one, such as a case that several models ran; absent: this alone. Those
   * of one cluster follow each other.
   */
  cluster?: number | undefined;
}

/** C(part, k)/C(n, k) as a product; 0 if `part` is less than k. */
function shareOfDraws(part: number, n: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k; i += 1) share *= Math.max(0, part - i) / (n - i);
  return share;
}

/** A mean over cases with its 95% interval, of which both ends are null over fewer than five. */
export interface RepeatedRate {
  value: number | null;
  low: number | null;
  high: number | null;
  /** Cases with enough repetitions. */
  cases: number;
}

/** The ends of an interval, where there is one. */
export const endsOf = ({ low, high }: Pick<RepeatedRate, 'low' | 'high'>): RateEnds =>
  low === null || high === null ? null : { low, high };

/** What each cluster adds, one by one at each iteration. */
const sharesOf = (
  cases: readonly RepeatedCase[],
  k: number,
  value: (one: RepeatedCase) => number,
): Iterable<Share> => ({
  *[Symbol.iterator]() {
    let share: { cluster: number | undefined; numerator: number; denominator: number } | null =
      null;
    for (const one of cases) {
      if (one.n < k) continue;
      if (share !== null && share.cluster !== undefined && share.cluster === one.cluster) {
        share.numerator += value(one);
        share.denominator += 1;
        continue;
      }
      if (share !== null) yield share;
      share = { cluster: one.cluster, numerator: value(one), denominator: 1 };
    }
    if (share !== null) yield share;
  },
});

function mean(
  cases: readonly RepeatedCase[],
  k: number,
  value: (one: RepeatedCase) => number,
): RepeatedRate {
  const { n, ...rate } = clusteredRatio(sharesOf(cases, k, value));
  return { ...rate, cases: n };
}

/**
 * pass@k (docs/rules.md §3, Repetitions; Chen et al., arXiv 2107.03374): the probability that at
 * least one of k repetitions passes, 1 − C(n − c, k)/C(n, k), averaged over cases with n ≥ k scored
 * repetitions. k ≥ 1; range 0–1; null if there is no such case. The interval is that of every rate
 * (`clusteredRatio`) with Yᵢ = the value of a case and Xᵢ = 1: each value is unbiased for its case, so
 * their spread holds that of the cases and of the repetitions.
 */
export function passAtK(cases: readonly RepeatedCase[], k: number): RepeatedRate {
  return mean(cases, k, ({ n, passed }) => 1 - shareOfDraws(n - passed, n, k));
}

/**
 * pass^k (docs/rules.md §3, Repetitions; Yao et al., arXiv 2406.12045): the probability that all of
 * k repetitions pass, C(c, k)/C(n, k), averaged over cases with n ≥ k scored repetitions. k ≥ 1;
 * range 0–1; null if there is no such case. Its interval is that of pass@k.
 */
export function passAllK(cases: readonly RepeatedCase[], k: number): RepeatedRate {
  return mean(cases, k, ({ n, passed }) => shareOfDraws(passed, n, k));
}
