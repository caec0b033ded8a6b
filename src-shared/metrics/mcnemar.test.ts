import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisivePairs, mcnemarExact } from './mcnemar.ts';

describe('mcnemarExact', () => {
  it.each([
    // Fay, exact2x2 (R Journal 2010): discordant pairs 9 and 2.
    [9, 2, 0.06543 / 2],
    // Siegel, Nonparametric Statistics, table D (one tail of the sign test): N 10, x 1 and N 14, x
    // 3.
    [1, 9, 0.011],
    [3, 11, 0.029],
    [0, 6, 0.015625],
    [0, 5, 0.03125],
  ])('gives the published tail for %i against %i', (lost, won, tail) => {
    expect(mcnemarExact(lost, won) / 2).toBeCloseTo(tail, 3);
  });

  it('is 1 for equal or nearly equal counts and for no pairs', () => {
    expect(mcnemarExact(0, 0)).toBe(1);
    expect(mcnemarExact(7, 7)).toBe(1);
    expect(mcnemarExact(7, 8)).toBe(1);
  });

  it('is symmetric, within 0–1 and stable for 100,000 pairs', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), (lost, won) => {
        const p = mcnemarExact(lost, won);
        expect(p).toBe(mcnemarExact(won, lost));
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
    expect(mcnemarExact(50_000, 50_900)).toBeCloseTo(0.0046, 3);
  });
});

describe('decisivePairs', () => {
  it('is the fewest pairs that the exact test can decide at a level', () => {
    expect(decisivePairs(0.05)).toBe(6);
    for (const level of [0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.001]) {
      const fewest = decisivePairs(level);
      expect(mcnemarExact(0, fewest)).toBeLessThanOrEqual(level);
      expect(mcnemarExact(0, fewest - 1)).toBeGreaterThan(level);
    }
  });
});
