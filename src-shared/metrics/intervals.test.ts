import { describe, expect, it } from 'vitest';
import { f1, proportion, wilson } from './intervals.ts';

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

describe('f1', () => {
  it('has the interval of J mapped by 2J/(1+J)', () => {
    // By hand: J = 6/10; Wilson of 6/10 is 0.312674 to 0.831820; 2J/(1+J) of these and of 0.6.
    const estimate = f1(6, 1, 3);
    expect(estimate.value).toBeCloseTo(0.75, 12);
    expect(estimate.low).toBeCloseTo((2 * 0.312674) / 1.312674, 5);
    expect(estimate.high).toBeCloseTo((2 * 0.83182) / 1.83182, 5);
    expect(estimate.n).toBe(10);
  });

  it('equals 2·TP/(2·TP+FP+FN)', () => {
    expect(f1(3, 2, 5).value).toBeCloseTo(6 / 13, 12);
    expect(f1(0, 2, 5)).toMatchObject({ value: 0, low: 0 });
    expect(f1(4, 0, 0)).toMatchObject({ value: 1, high: 1 });
    expect(f1(0, 0, 0)).toEqual({ value: null, low: null, high: null, n: 0 });
  });
});
