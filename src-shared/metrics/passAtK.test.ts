import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAllK, passAtK } from './passAtK.ts';

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
    ).toEqual({ value: 0, cases: 1 });
    expect(passAllK([{ n: 1, passed: 1 }], 2)).toEqual({ value: null, cases: 0 });
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
});
