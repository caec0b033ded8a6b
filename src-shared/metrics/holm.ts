/**
 * Adjusts p-values for multiple tests by Holm's step-down method (docs/rules.md §3, Comparisons;
 * Holm, Scand. J. Stat. 6 (1979) 65–70), in the given order: the i-th smallest of m is multiplied
 * by m − i + 1, is never below the one before it and at most 1. Each p in 0–1.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let floor = 0;
  order.forEach(({ p, at }, rank) => {
    floor = Math.max(floor, Math.min(1, p * (order.length - rank)));
    adjusted[at] = floor;
  });
  return adjusted;
}
