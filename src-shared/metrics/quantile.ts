/**
 * Quantile by nearest rank: the ⌈q·n⌉-th smallest of n values (the smallest for q = 0), so always
 * one of the values. 0 ≤ q ≤ 1; null without values. `sorted` must be ascending.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number | null {
  const n = sorted.length;
  // Floating-point products such as 0.95 × 100 can exceed the integer; whole ranks must stay whole.
  const rank = Math.min(n, Math.max(1, Math.ceil(q * n - 1e-9)));
  return sorted[rank - 1] ?? null;
}

/** Like `quantileOfSorted`, for values in any order. */
export function quantile(values: Iterable<number>, q: number): number | null {
  return quantileOfSorted(Float64Array.from(values).sort(), q);
}

/** Like `quantile`, for counts by value. */
export function quantileOfCounts(counts: ReadonlyMap<number, number>, q: number): number | null {
  const values = [...counts].sort(([a], [b]) => a - b);
  const n = values.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.min(n, Math.max(1, Math.ceil(q * n - 1e-9)));
  let seen = 0;
  for (const [value, count] of values) {
    seen += count;
    if (seen >= rank) return value;
  }
  return null;
}
