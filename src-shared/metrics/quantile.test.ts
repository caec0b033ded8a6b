import { describe, expect, it } from 'vitest';
import { quantile, quantileOfSorted } from './quantile.ts';

describe('quantile by nearest rank', () => {
  it('gives the published example 15, 20, 35, 40, 50', () => {
    // The worked example of the nearest-rank method (ranks 1, 2, 2, 3, 5 for 5 %, 30 %, 40 %, 50 %,
    // 100 %).
    const values = [50, 15, 40, 20, 35];
    expect([0.05, 0.3, 0.4, 0.5, 1].map((q) => quantile(values, q))).toEqual([15, 20, 20, 35, 50]);
  });

  it('gives 95 for p95 of 1 to 100, and 50 for p50', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(quantile(values, 0.95)).toBe(95);
    expect(quantile(values, 0.5)).toBe(50);
    expect(quantile(values, 0.07)).toBe(7);
  });

  it('sorts by number and returns null for an empty list', () => {
    expect(quantile([100, 20, 3], 0.5)).toBe(20);
    expect(quantile([], 0.5)).toBeNull();
    expect(quantileOfSorted([4], 0)).toBe(4);
  });
});
