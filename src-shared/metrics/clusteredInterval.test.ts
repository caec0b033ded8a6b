import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callRates, clusteredRatio, minIntervalCases, type Share } from './clusteredInterval.ts';
import { wilson } from './intervals.ts';
import { studentT95, Z95 } from './studentT.ts';

function shares(...parts: [count: number, numerator: number, denominator: number][]): Share[] {
  return parts.flatMap(([count, numerator, denominator]) =>
    new Array<Share>(count).fill({ numerator, denominator }),
  );
}

/**
 * The same formula written out slowly: the two half cases are in a list with the others, and the two
 * roots of (p − R)² = z²·p(1 − p)/m come from bisection instead of Wilson's closed form.
 */
function slowly(all: readonly Share[]): { low: number; high: number } {
  const cases = all.filter(({ denominator }) => denominator > 0);
  const n = cases.length;
  const mean = (of: (one: Share) => number) =>
    cases.reduce((sum, one) => sum + of(one), 0) / cases.length;
  const ratio = mean((one) => one.numerator) / mean((one) => one.denominator);
  const [right, wrong] = [
    mean((one) => one.whole ?? one.denominator),
    mean((one) => one.denominator),
  ];
  const added = [
    ...cases.map((one) => ({ y: one.numerator, x: one.denominator, weight: 1 })),
    { y: right, x: right, weight: 0.5 },
    { y: 0, x: wrong, weight: 0.5 },
  ];
  let [y, x, variance] = [0, 0, 0];
  for (const one of added) [y, x] = [y + one.weight * one.y, x + one.weight * one.x];
  for (const one of added)
    variance += (one.weight * ((one.y - (y / x) * one.x) / x) ** 2 * (n + 1)) / n;
  let size = (((y / x) * (1 - y / x)) / variance) * ((n * wrong) / x) * (Z95 / studentT95(n)) ** 2;
  if (ratio === 0) size = (n * wrong) / right;
  if (ratio === 1) size = n;
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
    // 10 cases of 2 calls: 4 × 2 of 2, 3 × 1 of 2, 3 × 0 of 2. R = 11/20 = 0.55. With half a case of 2
    // of 2 and half a case of 0 of 2: R* = 12/22 and ΣX* = 22. Deviations 10/11, −1/11 and −12/11: Σ =
    // (4.5 · 100 + 3 · 1 + 3.5 · 144)/121 = 957/121. v = 11/10 · (957/121)/22².
    const { value, low, high, n } = clusteredRatio(shares([4, 2, 2], [3, 1, 2], [3, 0, 2]));
    const variance = ((11 / 10) * (957 / 121)) / 484;
    // 2.2281388520 is the 97.5% point of Student's distribution with 10 degrees of freedom.
    const size =
      ((((12 / 22) * (10 / 22)) / variance) * 20 * (1.959963984540054 / 2.228138852) ** 2) / 22;
    expect([value, n]).toEqual([0.55, 20]);
    expect(low).toBeCloseTo(wilson(0.55 * size, size)?.low ?? 9, 9);
    expect(high).toBeCloseTo(wilson(0.55 * size, size)?.high ?? 9, 9);
    expect([low, high]).toEqual([expect.closeTo(0.2705, 4), expect.closeTo(0.8011, 4)]);
  });

  it('uses the number of cases if all are right or all are wrong', () => {
    expect(clusteredRatio(shares([20, 3, 3], [5, 0, 0]))).toEqual({
      value: 1,
      ...wilson(20, 20),
      n: 60,
    });
    expect(clusteredRatio(shares([7, 0, 2]))).toEqual({ value: 0, ...wilson(0, 7), n: 14 });
  });

  it('uses as many cases as could be right for an F1 of 0', () => {
    // A missed call is 1 of ΣX, and a hit would be 2: so 8 missed calls weigh as 4 cases.
    const { f1 } = callRates(
      new Array<{ tp: number; fp: number; fn: number }>(8).fill({ tp: 0, fp: 0, fn: 1 }),
    );
    expect(f1).toEqual({ value: 0, low: 0, high: wilson(0, 4)?.high, n: 8 });
  });

  it('is narrower than that of independent calls if cases vary less, and never a point', () => {
    const { low, high } = clusteredRatio(shares([12, 1, 2]));
    expect((high ?? 9) - (low ?? 0)).toBeLessThan(
      (wilson(12, 24)?.high ?? 0) - (wilson(12, 24)?.low ?? 9),
    );
    expect((high ?? 0) - (low ?? 9)).toBeGreaterThan(0.1);
  });

  it('counts cases without a call in nothing', () => {
    const touched = shares([4, 1, 1], [2, 0, 1]);
    expect(clusteredRatio([...touched, ...shares([500, 0, 0])])).toEqual(clusteredRatio(touched));
  });

  it.each([1, 2, 3, 4])('gives %i cases a rate without an interval', (count) => {
    expect(clusteredRatio(shares([count, 2, 3], [99, 0, 0]))).toEqual({
      value: 2 / 3,
      low: null,
      high: null,
      n: 3 * count,
    });
  });

  it('gives five cases an interval, however many of their calls are right', () => {
    for (const right of [0, 1, 2, 3]) {
      const { low, high } = clusteredRatio(shares([minIntervalCases, right, 3]));
      expect([right, low !== null && high !== null]).toEqual([right, true]);
    }
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
    expect(clusteredRatio(shares([3, 0, 0]))).toEqual(none);
  });

  it('agrees with the formula written out slowly, for any cases in any order', () => {
    const share = fc
      .tuple(
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 6 }),
      )
      .map(([a, b, more]) => ({
        numerator: Math.min(a, b),
        denominator: Math.max(a, b),
        whole: Math.max(a, b) + more,
      }));
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 40 }), (cases) => {
        const fast = clusteredRatio(cases);
        const touching = cases.filter(({ denominator }) => denominator > 0).length;
        expect(clusteredRatio([...cases].reverse())).toEqual(fast);
        expect(fast.value === null).toBe(touching === 0);
        expect(fast.low === null).toBe(touching < minIntervalCases);
        if (touching < minIntervalCases) return;
        const slow = slowly(cases);
        expect(fast.low).toBeCloseTo(slow.low, 9);
        expect(fast.high).toBeCloseTo(slow.high, 9);
        expect(fast.low).toBeGreaterThanOrEqual(0);
        expect(fast.high).toBeLessThanOrEqual(1);
        expect(fast.low).toBeLessThanOrEqual(fast.value ?? -1);
        expect(fast.high).toBeGreaterThanOrEqual(fast.value ?? 2);
      }),
      { numRuns: 500 },
    );
  });

  it('holds F1 of 0.2 in 20 cases without a hit, which happens in one sample of ten', () => {
    // F1 = 2p/(1 + p) = 0.2 for p = 1/9; without a hit, X is 1 per case, where a hit has 2.
    const chance = (k: number) => {
      let ways = 1;
      for (let i = 0; i < k; i += 1) ways *= (20 - i) / (i + 1);
      return ways * (1 / 9) ** k * (8 / 9) ** (20 - k);
    };
    let coverage = 0;
    for (let k = 0; k <= 20; k += 1) {
      const { f1 } = callRates([
        ...new Array<{ tp: number; fp: number; fn: number }>(k).fill({ tp: 1, fp: 0, fn: 0 }),
        ...new Array<{ tp: number; fp: number; fn: number }>(20 - k).fill({ tp: 0, fp: 0, fn: 1 }),
      ]);
      if ((f1.low ?? 1) <= 0.2 && 0.2 <= (f1.high ?? 0)) coverage += chance(k);
    }
    expect(chance(0)).toBeCloseTo(0.095, 3);
    expect(coverage).toBeCloseTo(0.9816, 4);
  });
});

describe('callRates', () => {
  it('takes F1 as 2·TP of 2·TP + FP + FN and shows TP + FP + FN', () => {
    const { precision, recall, f1 } = callRates([
      { tp: 2, fp: 1, fn: 0 },
      { tp: 1, fp: 0, fn: 3 },
      { tp: 0, fp: 1, fn: 1 },
      { tp: 3, fp: 0, fn: 0 },
      { tp: 0, fp: 2, fn: 0 },
    ]);
    expect([precision.value, recall.value, f1.value]).toEqual([6 / 10, 6 / 10, 12 / 20]);
    expect([precision.n, recall.n, f1.n]).toEqual([10, 10, 14]);
    const slow = slowly([
      { numerator: 4, denominator: 5, whole: 6 },
      { numerator: 2, denominator: 5, whole: 8 },
      { numerator: 0, denominator: 2, whole: 2 },
      { numerator: 6, denominator: 6, whole: 6 },
      { numerator: 0, denominator: 2, whole: 4 },
    ]);
    expect([f1.low, f1.high]).toEqual([expect.closeTo(slow.low, 9), expect.closeTo(slow.high, 9)]);
  });

  it('says nothing about precision where too few cases call, and all about recall', () => {
    const { precision, recall } = callRates([
      ...new Array<{ tp: number; fp: number; fn: number }>(4).fill({ tp: 1, fp: 0, fn: 0 }),
      ...new Array<{ tp: number; fp: number; fn: number }>(30).fill({ tp: 0, fp: 0, fn: 1 }),
    ]);
    expect(precision).toEqual({ value: 1, low: null, high: null, n: 4 });
    expect(recall).toMatchObject({ value: 4 / 34, low: expect.any(Number) as number, n: 34 });
  });
});
