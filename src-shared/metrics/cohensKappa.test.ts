import { describe, expect, it } from 'vitest';
import { cohensKappa, isCalibrated, type AgreementCounts } from './cohensKappa.ts';

const counts = (
  bothYes: number,
  onlyFirst: number,
  onlySecond: number,
  bothNo: number,
): AgreementCounts => ({ bothYes, onlyFirst, onlySecond, bothNo });

describe("Cohen's kappa", () => {
  // Computed by hand from pₒ and pₑ.
  it.each([
    // pₒ = 35/50 = 0.7; pₑ = 0.5·0.6 + 0.5·0.4 = 0.5; κ = 0.2 ÷ 0.5
    [counts(20, 5, 10, 15), 0.4],
    // pₒ = 0.6; pₑ = 0.6·0.7 + 0.4·0.3 = 0.54; κ = 0.06 ÷ 0.46
    [counts(45, 15, 25, 15), 3 / 23],
    // pₒ = 0.6; pₑ = 0.6·0.3 + 0.4·0.7 = 0.46; κ = 0.14 ÷ 0.54
    [counts(25, 35, 5, 35), 7 / 27],
    // pₒ = 1; pₑ = 0.25 + 0.25
    [counts(5, 0, 0, 5), 1],
    // pₒ = 0; pₑ = 0.5·0.5 + 0.5·0.5
    [counts(0, 5, 5, 0), -1],
    // pₒ = 0.9; one rater is constant, so pₑ = 0.9 too
    [counts(9, 1, 0, 0), 0],
    // pₒ = 24/30 = 0.8; pₑ = 0.5·0.5 + 0.5·0.5 = 0.5; κ = 0.3 ÷ 0.5
    [counts(12, 3, 3, 12), 0.6],
  ])('of %j is %d', (given, kappa) => {
    expect(cohensKappa(given).kappa).toBeCloseTo(kappa, 12);
  });

  it('is undefined without a pair, and where both gave a single answer', () => {
    expect(cohensKappa(counts(0, 0, 0, 0))).toEqual({
      ...{ kappa: null, observed: null, n: 0 },
      interval: null,
    });
    const one = { kappa: null, observed: 1, n: 40, interval: null };
    expect(cohensKappa(counts(40, 0, 0, 0))).toEqual(one);
    expect(cohensKappa(counts(0, 0, 0, 40))).toEqual(one);
  });
});

describe('a judge', () => {
  it.each([
    [counts(12, 3, 3, 12), true],
    // κ = 1, but 29 labels.
    [counts(15, 0, 0, 14), false],
    // 31 labels; 24 agree: κ = 0.548.
    [counts(12, 4, 3, 12), false],
    [counts(40, 0, 0, 0), false],
  ])('with %j is calibrated: %s', (given, calibrated) => {
    expect(isCalibrated(cohensKappa(given))).toBe(calibrated);
  });
});
