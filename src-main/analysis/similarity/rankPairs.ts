import type { SimilarityPair } from '../../../src-shared/domain/similarity.ts';
import type { PairTable } from './pairTable.ts';
import { readPair, type PreparedTools } from './prepare.ts';

export interface PlacedPair {
  a: number;
  b: number;
}

export interface Ranked {
  pairs: PlacedPair[];
  /** Number of pairs that pass the filter, listed or not. */
  total: number;
}

/** Selects pairs by their tools and their score in steps. */
export type PairFilter = (a: number, b: number, steps: number) => boolean;

/** A stored score has 31 bits; its upper 16 are the bin that it is counted in. */
const binShift = 15;
const bins = 1 << 16;

/**
 * The `most` pairs with the highest score that pass the filter, descending; ties follow the order
 * of the tools. Two passes over the table: one counts scores per bin, one collects the pairs
 * above the bin that reaches `most`, so that millions of pairs are never sorted.
 */
export function rankPairs(table: PairTable, most: number, filter: PairFilter = () => true): Ranked {
  const counts = new Uint32Array(bins);
  let total = 0;
  table.each((a, b, steps) => {
    if (!filter(a, b, steps)) return;
    total += 1;
    const bin = steps >>> binShift;
    counts[bin] = (counts[bin] ?? 0) + 1;
  });
  let lowest = bins - 1;
  for (let above = counts[lowest] ?? 0; above < most && lowest > 0; above += counts[lowest] ?? 0)
    lowest -= 1;
  const found: { a: number; b: number; steps: number }[] = [];
  table.each((a, b, steps) => {
    if (steps >>> binShift >= lowest && filter(a, b, steps)) found.push({ a, b, steps });
  });
  found.sort((x, y) => y.steps - x.steps || x.a - y.a || x.b - y.b);
  return { pairs: found.slice(0, most).map(({ a, b }) => ({ a, b })), total };
}

/** The same pairs with their scores in double precision, which also decide their order. */
export function readRanked(
  prepared: PreparedTools,
  pairs: readonly PlacedPair[],
): SimilarityPair[] {
  return pairs
    .map(({ a, b }) => readPair(prepared, a, b))
    .sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
}
