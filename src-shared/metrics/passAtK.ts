/** A case's scored repetitions and how many of them passed. */
export interface RepeatedCase {
  n: number;
  passed: number;
}

/** C(part, k)/C(n, k) as a product; 0 if `part` is less than k. */
function shareOfDraws(part: number, n: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k; i += 1) share *= Math.max(0, part - i) / (n - i);
  return share;
}

function mean(
  cases: readonly RepeatedCase[],
  k: number,
  value: (one: RepeatedCase) => number,
): { value: number | null; cases: number } {
  const enough = cases.filter(({ n }) => n >= k);
  const sum = enough.reduce((total, one) => total + value(one), 0);
  return { value: enough.length === 0 ? null : sum / enough.length, cases: enough.length };
}

/**
 * pass@k (docs/rules.md §3, Repetitions; Chen et al., arXiv 2107.03374): the probability that at
 * least one of k repetitions passes, 1 − C(n − c, k)/C(n, k), averaged over cases with n ≥ k scored
 * repetitions. k ≥ 1; range 0–1; null if there is no such case.
 */
export function passAtK(
  cases: readonly RepeatedCase[],
  k: number,
): { value: number | null; cases: number } {
  return mean(cases, k, ({ n, passed }) => 1 - shareOfDraws(n - passed, n, k));
}

/**
 * pass^k (docs/rules.md §3, Repetitions; Yao et al., arXiv 2406.12045): the probability that all of
 * k repetitions pass, C(c, k)/C(n, k), averaged over cases with n ≥ k scored repetitions. k ≥ 1;
 * range 0–1; null if there is no such case.
 */
export function passAllK(
  cases: readonly RepeatedCase[],
  k: number,
): { value: number | null; cases: number } {
  return mean(cases, k, ({ n, passed }) => shareOfDraws(passed, n, k));
}
