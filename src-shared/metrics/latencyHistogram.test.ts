import { describe, expect, it } from 'vitest';
import { latencyEdges, latencyHistogram } from './latencyHistogram.ts';

const binsOf = (values: number[]) =>
  latencyHistogram(values).counts.flatMap((count, at) =>
    count === 0 ? [] : [[latencyEdges[at], count]],
  );

describe('latencyHistogram', () => {
  it('counts a value at the lower end of a bin in that bin', () => {
    expect(binsOf([0, 0.5, 1, 2, 4, 5, 10, 499, 500])).toEqual([
      [0, 2],
      [1, 1],
      [2, 2],
      [5, 1],
      [10, 1],
      [200, 1],
      [500, 1],
    ]);
  });

  it('counts very slow answers in the last bin', () => {
    expect(binsOf([4_999_999, 5_000_000, 9e12])).toEqual([
      [2_000_000, 1],
      [5_000_000, 2],
    ]);
  });

  it('gives median and p95 by nearest rank', () => {
    // Ranks of 20 values: ⌈0.5 · 20⌉ = 10, ⌈0.95 · 20⌉ = 19.
    const values = Array.from({ length: 20 }, (_, at) => 20 - at);
    expect(latencyHistogram(values)).toMatchObject({ n: 20, p50: 10, p95: 19 });
  });

  it('has no quantiles without values', () => {
    expect(latencyHistogram([])).toMatchObject({ n: 0, p50: null, p95: null });
  });
});
