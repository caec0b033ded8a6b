import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapRatio } from './bootstrap.ts';
import type { Share } from './clusteredInterval.ts';
import { wilson } from './intervals.ts';

function shares(...parts: [count: number, numerator: number, denominator: number][]): Share[] {
  return parts.flatMap(([count, numerator, denominator]) =>
    Array.from({ length: count }, () => ({ numerator, denominator })),
  );
}

describe('bootstrapRatio', () => {
  it('resamples cases: 50 of 100 gives the quantiles of a binomial', () => {
    // Binomial(100, ½): P(X ≤ 39) = 0.0176, P(X ≤ 40) = 0.0284; so the 2.5 % and 97.5 % points are
    // 40 and 60.
    expect(bootstrapRatio(shares([50, 1, 1], [50, 0, 1]))).toEqual({ low: 0.4, high: 0.6 });
  });

  it('gives the same interval for five equal runs per case as for one', () => {
    const single = bootstrapRatio(shares([50, 1, 1], [50, 0, 1]));
    expect(bootstrapRatio(shares([50, 5, 5], [50, 0, 5]))).toEqual(single);
  });

  it('agrees with exact binomials when drawing by case and when drawing by counts', () => {
    const byCase = bootstrapRatio(shares([7, 1, 1], [7, 0, 1]));
    // Binomial(14, ½): P(X ≤ 2) = 0.0065, P(X ≤ 3) = 0.0287; so 3/14 and 11/14.
    expect(byCase).toEqual({ low: 3 / 14, high: 11 / 14 });
    // 28 cases are drawn by counts. Binomial(28, ½): P(X ≤ 8) = 0.0178, P(X ≤ 9) = 0.0436; so 9/28
    // and 19/28.
    expect(bootstrapRatio(shares([14, 1, 1], [14, 0, 1]))).toEqual({ low: 9 / 28, high: 19 / 28 });
  });

  it('is independent of the order of the cases and repeatable', () => {
    const mixed = shares([3, 1, 2], [4, 2, 2], [5, 0, 1]);
    const first = bootstrapRatio(mixed);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(mixed, { minLength: mixed.length, maxLength: mixed.length }),
        (shuffled) => {
          expect(bootstrapRatio(shuffled, { resamples: 10_000 })).toEqual(first);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('returns null when every denominator is 0', () => {
    expect(bootstrapRatio([])).toBeNull();
    expect(bootstrapRatio(shares([5, 0, 0]))).toBeNull();
    expect(bootstrapRatio(shares([1, 1, 1], [30, 0, 0]))).toEqual(wilson(1, 1));
  });

  it('returns the Wilson interval over cases when all cases agree', () => {
    // Wilson by hand: 67 of 67 → 1/(1 + z²/67) = 0.9458; 0 of 1 → z²/(1 + z²) = 0.7935.
    expect(bootstrapRatio(shares([67, 3, 3]))?.low).toBeCloseTo(0.9458, 4);
    expect(bootstrapRatio(shares([67, 3, 3]))?.high).toBe(1);
    expect(bootstrapRatio(shares([1, 0, 2]))?.low).toBe(0);
    expect(bootstrapRatio(shares([1, 0, 2]))?.high).toBeCloseTo(0.7935, 4);
    // Cases of different size that agree; those without a denominator say nothing and are not
    // counted.
    expect(bootstrapRatio(shares([3, 1, 1], [4, 5, 5], [100, 0, 0]))).toEqual(wilson(7, 7));
    expect(bootstrapRatio(shares([10, 1, 2], [10, 2, 4]))).toEqual(wilson(10, 20));
  });

  it('resamples as soon as one case differs', () => {
    // (66/67)^67 = 0.365: more than 2.5 % of the resamples lack the wrong one, so the upper end is
    // 1.
    const almost = bootstrapRatio(shares([66, 1, 1], [1, 0, 1]));
    expect(almost).not.toEqual(wilson(66, 67));
    expect(almost?.high).toBe(1);
    expect(almost?.low).toBeLessThan(66 / 67);
  });
});
