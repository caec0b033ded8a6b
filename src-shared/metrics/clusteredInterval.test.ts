import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callRates, clusteredRatio, type Share } from './clusteredInterval.ts';
import { wilson } from './intervals.ts';
import { studentT95, Z95 } from './studentT.ts';

function shares(...parts: [count: number, numerator: number, denominator: number][]): Share[] {
  return parts.flatMap(([count, numerator, denominator]) =>
    new Array<Share>(count).fill({ numerator, denominator }),
  );
}

/**
 * The same formula written out slowly: residuals from the ratio, their variance, and the two roots of
 * (p − R)² = z²·p(1 − p)/m by bisection instead of Wilson's closed form.
 */
function slowly(cases: readonly Share[]): { low: number; high: number } {
  let [y, x] = [0, 0];
  for (const one of cases) [y, x] = [y + one.numerator, x + one.denominator];
  const ratio = y / x;
  const n = cases.length;
  const counting = cases.filter((one) => one.denominator > 0).length;
  let variance = 0;
  for (const one of cases)
    variance += ((one.numerator - ratio * one.denominator) / x) ** 2 * (n / (n - 1));
  const size =
    n === 1 || ratio === 0 || ratio === 1 || variance < 1e-18
      ? counting
      : ((ratio * (1 - ratio)) / variance) * (Z95 / studentT95(n - 1)) ** 2;
  const root = (outer: number): number => {
    let [inside, outside] = [ratio, outer];
    for (let step = 0; step < 200; step += 1) {
      const p = (inside + outside) / 2;
      if ((p - ratio) ** 2 <= (Z95 ** 2 * p * (1 - p)) / size) inside = p;
      else outside = p;
    }
    return inside;
  };
  return { low: root(0), high: root(1) };
}

describe('clusteredRatio', () => {
  it('is Wilson’s interval at the effective size, computed by hand', () => {
    // 10 cases of 2 calls: 4 × 2 of 2, 3 × 1 of 2, 3 × 0 of 2. R = 11/20 = 0.55. Residuals 0.9, −0.1
    // and −1.1: Σ = 4 · 0.81 + 3 · 0.01 + 3 · 1.21 = 6.9. v = 10/9 · 6.9/400 = 0.0191667.
    const { value, low, high, n } = clusteredRatio(shares([4, 2, 2], [3, 1, 2], [3, 0, 2]));
    const size = (0.2475 / 0.019166666666666666) * (1.959963984540054 / 2.2621571628) ** 2;
    expect([value, n]).toEqual([0.55, 20]);
    expect(low).toBeCloseTo(wilson(0.55 * size, size)?.low ?? 9, 9);
    expect(high).toBeCloseTo(wilson(0.55 * size, size)?.high ?? 9, 9);
    expect([low, high]).toEqual([expect.closeTo(0.2704, 4), expect.closeTo(0.8012, 4)]);
  });

  it('uses the number of counting cases where all agree or nothing varies', () => {
    expect(clusteredRatio(shares([20, 3, 3], [5, 0, 0]))).toEqual({
      value: 1,
      ...wilson(20, 20),
      n: 60,
    });
    expect(clusteredRatio(shares([7, 0, 2]))).toEqual({ value: 0, ...wilson(0, 7), n: 14 });
    expect(clusteredRatio(shares([12, 1, 2]))).toEqual({ value: 0.5, ...wilson(6, 12), n: 24 });
  });

  it('gives a single case the width of one case, however many calls it has', () => {
    const one = clusteredRatio(shares([1, 70, 100]));
    expect(one).toEqual({ value: 0.7, ...wilson(0.7, 1), n: 100 });
    expect((one.high ?? 0) - (one.low ?? 0)).toBeGreaterThan(0.7);
  });

  it('treats equal fractional shares as not varying', () => {
    const third = clusteredRatio(shares([30, 1 / 3, 1]));
    expect(third.low).toBeCloseTo(wilson(10, 30)?.low ?? 9, 9);
  });

  it('counts untouched cases as cases without a call', () => {
    const touched = shares([4, 1, 1], [2, 0, 1]);
    expect(clusteredRatio(touched, { untouched: 14 })).toEqual(
      clusteredRatio([...touched, ...shares([14, 0, 0])]),
    );
  });

  it('counts a share as often as it says', () => {
    expect(
      clusteredRatio([
        { numerator: 1, denominator: 2, count: 9 },
        { numerator: 2, denominator: 2, count: 4 },
      ]),
    ).toEqual(clusteredRatio(shares([9, 1, 2], [4, 2, 2])));
  });

  it('returns null without a denominator', () => {
    const none = { value: null, low: null, high: null, n: 0 };
    expect(clusteredRatio([])).toEqual(none);
    expect(clusteredRatio(shares([3, 0, 0]), { untouched: 5 })).toEqual(none);
  });

  it('agrees with the formula written out slowly, for any cases in any order', () => {
    const share = fc
      .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
      .map(([a, b]) => ({ numerator: Math.min(a, b), denominator: Math.max(a, b) }));
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 40 }), (cases) => {
        const fast = clusteredRatio(cases);
        if (cases.every(({ denominator }) => denominator === 0)) {
          expect(fast.value).toBeNull();
          return;
        }
        const slow = slowly(cases);
        expect(fast.low).toBeCloseTo(slow.low, 9);
        expect(fast.high).toBeCloseTo(slow.high, 9);
        expect(clusteredRatio([...cases].reverse())).toEqual(fast);
        expect(fast.low).toBeGreaterThanOrEqual(0);
        expect(fast.high).toBeLessThanOrEqual(1);
        expect(fast.low).toBeLessThanOrEqual(fast.value ?? -1);
        expect(fast.high).toBeGreaterThanOrEqual(fast.value ?? 2);
      }),
      { numRuns: 500 },
    );
  });
});

describe('callRates', () => {
  it('takes F1 as 2·TP of 2·TP + FP + FN and shows TP + FP + FN', () => {
    const { precision, recall, f1 } = callRates([
      { tp: 2, fp: 1, fn: 0 },
      { tp: 1, fp: 0, fn: 3 },
      { tp: 0, fp: 1, fn: 1 },
    ]);
    expect([precision.value, recall.value, f1.value]).toEqual([3 / 5, 3 / 7, 6 / 12]);
    expect([precision.n, recall.n, f1.n]).toEqual([5, 7, 9]);
    const slow = slowly(shares([1, 4, 5], [1, 2, 5], [1, 0, 2]));
    expect([f1.low, f1.high]).toEqual([expect.closeTo(slow.low, 9), expect.closeTo(slow.high, 9)]);
  });
});
