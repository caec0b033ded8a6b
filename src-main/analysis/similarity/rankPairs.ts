import { packedOverlap, scoreSteps, type PairTable } from './pairTable.ts';

export interface PlacedPair {
  a: number;
  b: number;
}

export interface Ranked {
  pairs: PlacedPair[];
  /** Number of pairs that pass the filter, listed or not. */
  total: number;
}

/** Selects pairs by their tools and packed scores. */
export type PairFilter = (a: number, b: number, packed: number) => boolean;

/**
 * The `most` pairs with the highest overlap that pass the filter, descending; ties follow the order
 * of the tools. Two passes over the table: one counts overlaps per step, one collects the pairs
 * above the step that reaches `most`, so that millions of pairs are never sorted.
 */
export function rankPairs(table: PairTable, most: number, filter: PairFilter = () => true): Ranked {
  const steps = new Uint32Array(scoreSteps + 1);
  let total = 0;
  table.each((a, b, packed) => {
    if (!filter(a, b, packed)) return;
    total += 1;
    const step = packedOverlap(packed);
    steps[step] = (steps[step] ?? 0) + 1;
  });
  let lowest = scoreSteps;
  for (let above = steps[lowest] ?? 0; above < most && lowest > 0; above += steps[lowest] ?? 0)
    lowest -= 1;
  const found: { a: number; b: number; overlap: number }[] = [];
  table.each((a, b, packed) => {
    const overlap = packedOverlap(packed);
    if (overlap >= lowest && filter(a, b, packed)) found.push({ a, b, overlap });
  });
  found.sort((x, y) => y.overlap - x.overlap || x.a - y.a || x.b - y.b);
  return { pairs: found.slice(0, most).map(({ a, b }) => ({ a, b })), total };
}
