/**
 * p-values adjusted for their number by Holm's step-down method (docs/rules.md §3, Comparisons;
 * Holm, Scand. J. Stat. 6 (1979) 65–70), in the order given: the i-th smallest of m is multiplied
 * by m − i + 1, never below the one before it, at most 1. Each p in 0–1.
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
