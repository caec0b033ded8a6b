import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapRatio, type Share } from './bootstrap.ts';

function shares(...parts: [count: number, numerator: number, denominator: number][]): Share[] {
  return parts.flatMap(([count, numerator, denominator]) => Array.from({ length: count }, () => ({ numerator, denominator })));
}

describe('bootstrapRatio', () => {
  it('would catch resampling that is not over cases: 50 of 100 has the quantiles of a binomial', () => {
    // Binomial(100, ½): P(X ≤ 39) = 0.0176, P(X ≤ 40) = 0.0284; so the 2.5 % and 97.5 % points are 40 and 60.
    expect(bootstrapRatio(shares([50, 1, 1], [50, 0, 1]))).toEqual({ low: 0.4, high: 0.6 });
  });

  it('would catch runs taken for independent: five equal runs a case widen nothing and narrow nothing', () => {
    const single = bootstrapRatio(shares([50, 1, 1], [50, 0, 1]));
    expect(bootstrapRatio(shares([50, 5, 5], [50, 0, 5]))).toEqual(single);
  });

  it('would catch two ways of drawing that disagree: many kinds of cases against few', () => {
    // The same rate 1/2 a case; 40 kinds are drawn case by case, a single kind by counts.
    const many = Array.from({ length: 40 }, (_, index) => ({ numerator: index + 1, denominator: 2 * (index + 1) }));
    expect(bootstrapRatio(many)).toEqual({ low: 0.5, high: 0.5 });
    expect(bootstrapRatio(shares([400, 1, 2]))).toEqual({ low: 0.5, high: 0.5 });
    const byCase = bootstrapRatio(shares([7, 1, 1], [7, 0, 1]));
    // Binomial(14, ½): P(X ≤ 2) = 0.0065, P(X ≤ 3) = 0.0287; so 3/14 and 11/14.
    expect(byCase).toEqual({ low: 3 / 14, high: 11 / 14 });
  });

  it('would catch an interval that depends on the order of the cases or on the clock', () => {
    const mixed = shares([3, 1, 2], [4, 2, 2], [5, 0, 1]);
    const first = bootstrapRatio(mixed);
    fc.assert(
      fc.property(fc.shuffledSubarray(mixed, { minLength: mixed.length, maxLength: mixed.length }), (shuffled) => {
        expect(bootstrapRatio(shuffled, { resamples: 10_000 })).toEqual(first);
      }),
      { numRuns: 10 },
    );
  });

  it('would catch NaN where a denominator is 0', () => {
    expect(bootstrapRatio([])).toBeNull();
    expect(bootstrapRatio(shares([5, 0, 0]))).toBeNull();
    expect(bootstrapRatio(shares([1, 1, 1], [30, 0, 0]))).toEqual({ low: 1, high: 1 });
  });
});
