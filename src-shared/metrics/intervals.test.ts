import { describe, expect, it } from 'vitest';
import { proportion, wilson } from './intervals.ts';

describe('wilson', () => {
  // Newcombe, Two-sided confidence intervals for the single proportion, Stat. Med. 17 (1998)
  // 857–872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('gives the published interval for %i of %i', (k, n, low, high) => {
    const interval = wilson(k, n);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it('stays within 0–1 and reaches the ends exactly', () => {
    expect(wilson(0, 7)?.low).toBe(0);
    expect(wilson(7, 7)?.high).toBe(1);
    expect(wilson(20, 20)?.low).toBeCloseTo(1 - 0.1611, 4);
  });

  it('returns null when nothing was counted', () => {
    expect(wilson(0, 0)).toBeNull();
    expect(proportion(0, 0)).toEqual({ value: null, low: null, high: null, n: 0 });
  });
});
