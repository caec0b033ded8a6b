import { quantileOfSorted } from './quantile.ts';

/** The lower ends of the bins in milliseconds: 0, then 1, 2 and 5 of each power of ten. */
export const latencyEdges: readonly number[] = [
  0,
  ...Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat(),
];

export interface LatencyHistogram {
  n: number;
  /** Nearest rank, in milliseconds; null without values. */
  p50: number | null;
  p95: number | null;
  /** Values per bin; bin i holds edges[i] ≤ value < edges[i + 1], the last one has no upper end. */
  counts: number[];
}

/**
 * How latencies spread over bins that grow with the value, because latencies are skewed: most
 * answers are fast and a few are many times slower.
 * @param milliseconds values ≥ 0, in any order
 */
export function latencyHistogram(milliseconds: Iterable<number>): LatencyHistogram {
  const sorted = Float64Array.from(milliseconds).sort();
  const counts = latencyEdges.map(() => 0);
  let bin = 0;
  for (const value of sorted) {
    while (value >= (latencyEdges[bin + 1] ?? Infinity)) bin += 1;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return {
    n: sorted.length,
    p50: quantileOfSorted(sorted, 0.5),
    p95: quantileOfSorted(sorted, 0.95),
    counts,
  };
}
