/**
 * Quantile by nearest rank: the ⌈q·n⌉-th smallest of n values (the smallest for q = 0). 0 ≤ q ≤ 1;
 * null where there is no value. Always one of the values. `sorted` must rise.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number | null {
  const n = sorted.length;
  // 0.95 × 100 is 94.99999999999999 or 95.00000000000001 by turns: whole ranks must stay whole.
  const rank = Math.min(n, Math.max(1, Math.ceil(q * n - 1e-9)));
  return sorted[rank - 1] ?? null;
}

/** The same for values in any order. */
export function quantile(values: Iterable<number>, q: number): number | null {
  return quantileOfSorted(Float64Array.from(values).sort(), q);
}

/** The same from how often each value was seen. */
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
