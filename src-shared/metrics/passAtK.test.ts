import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredRatio } from './clusteredInterval.ts';
import { wilson } from './intervals.ts';
import { passAllK, passAtK } from './passAtK.ts';
import { binomial, createRandom } from './random.ts';

describe('passAtK and passAllK', () => {
  it('equal the binomial for n 5 with 2 passed, counted by hand', () => {
    // C(3,k)/C(5,k): 3/5, 3/10, 1/10; C(2,k)/C(5,k): 2/5, 1/10, 0.
    expect([1, 2, 3, 4].map((k) => passAtK([{ n: 5, passed: 2 }], k).value?.toFixed(6))).toEqual([
      '0.400000',
      '0.700000',
      '0.900000',
      '1.000000',
    ]);
    expect([1, 2, 3].map((k) => passAllK([{ n: 5, passed: 2 }], k).value?.toFixed(6))).toEqual([
      '0.400000',
      '0.100000',
      '0.000000',
    ]);
    // n 200, c 10, k 100: 1 − C(190,100)/C(200,100) = 1 − Π (100 − i)/(200 − i) for i < 10.
    expect(passAtK([{ n: 200, passed: 10 }], 100).value).toBeCloseTo(0.99923, 4);
  });

  it('leave out cases with too few repetitions and return null without cases', () => {
    expect(
      passAtK(
        [
          { n: 1, passed: 1 },
          { n: 3, passed: 0 },
        ],
        2,
      ),
    ).toEqual({ value: 0, low: null, high: null, cases: 1 });
    expect(passAllK([{ n: 1, passed: 1 }], 2)).toEqual({
      ...{ value: null, low: null, high: null },
      cases: 0,
    });
  });

  it('are monotonic in k and equal for one draw', () => {
    const one = fc.nat(12).chain((passed) =>
      fc.record({
        passed: fc.constant(passed),
        n: fc.integer({ min: Math.max(4, passed), max: 20 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), (cases) => {
        for (let k = 1; k < 4; k += 1) {
          expect(passAtK(cases, k + 1).value ?? 0).toBeGreaterThanOrEqual(
            (passAtK(cases, k).value ?? 0) - 1e-12,
          );
          expect(passAllK(cases, k + 1).value ?? 1).toBeLessThanOrEqual(
            (passAllK(cases, k).value ?? 1) + 1e-12,
          );
        }
        expect(passAtK(cases, 1).value).toBeCloseTo(passAllK(cases, 1).value ?? 0, 12);
      }),
    );
  });

  it('have the interval of their values over cases, computed by hand', () => {
    // pass^2 of 4, 3, 2, 2 and 1 of 4: 1, ½, ⅙, ⅙ and 0; mean 11/30. With the two added cases of weight
    // ½, one of 1 and one of 0: R* = 7/18, Σ*(Y − R*)² = 0.89815, v = 6/5 · 0.89815/36 = 0.029938,
    // m = R*(1 − R*)/v · 5/6 · (1.95996/2.57058)² = 3.84565.
    const cases = [4, 3, 2, 2, 1].map((passed) => ({ n: 4, passed }));
    const { value, low, high } = passAllK(cases, 2);
    expect(value).toBeCloseTo(11 / 30, 12);
    const ends = wilson((11 / 30) * 3.84565, 3.84565);
    expect(low).toBeCloseTo(ends?.low ?? 0, 4);
    expect(high).toBeCloseTo(ends?.high ?? 0, 4);
  });

  it('have the interval of the pass rate for one draw of equally many repetitions', () => {
    const cases = [5, 4, 1, 0, 3, 2].map((passed) => ({ n: 5, passed }));
    const { low, high } = clusteredRatio(
      cases.map(({ n, passed }) => ({ numerator: passed, denominator: n })),
    );
    const { low: least, high: most } = passAtK(cases, 1);
    expect(least).toBeCloseTo(low ?? 0, 12);
    expect(most).toBeCloseTo(high ?? 0, 12);
  });

  it('hold the true value in 95 of 100 samples of cases, for cases that vary and repetitions', () => {
    const random = createRandom(11);
    // A case passes with one of these chances, so that E[p³] and E[1 − (1 − p)³] are known.
    const chances = [0.1, 0.4, 0.7, 0.95];
    const mean = (of: (p: number) => number) =>
      chances.reduce((sum, p) => sum + of(p), 0) / chances.length;
    const truth = { all: mean((p) => p ** 3), some: mean((p) => 1 - (1 - p) ** 3) };
    const samples = 1500;
    const held = { all: 0, some: 0 };
    for (let sample = 0; sample < samples; sample += 1) {
      const cases = Array.from({ length: 30 }, () => ({
        n: 5,
        passed: binomial(random, 5, chances[Math.floor(random() * 4)] ?? 0),
      }));
      const [all, some] = [passAllK(cases, 3), passAtK(cases, 3)];
      if ((all.low ?? 1) <= truth.all && truth.all <= (all.high ?? 0)) held.all += 1;
      if ((some.low ?? 1) <= truth.some && truth.some <= (some.high ?? 0)) held.some += 1;
    }
    for (const count of Object.values(held)) {
      expect(count / samples).toBeGreaterThan(0.92);
      expect(count / samples).toBeLessThan(0.985);
    }
  });

  it('take runs of one case by several models as one', () => {
    const alone = [4, 3, 2, 2, 1].map((passed) => ({ n: 4, passed }));
    const twice = alone.flatMap((one, cluster) => [one, one].map((each) => ({ ...each, cluster })));
    expect(passAllK(twice, 2)).toEqual({ ...passAllK(alone, 2), cases: 10 });
  });
});
