import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemarExact } from './mcnemar.ts';
import { signFlip } from './signFlip.ts';

const cases = (...parts: [count: number, difference: number][]): number[] =>
  parts.flatMap(([count, difference]) => new Array<number>(count).fill(difference));

/** The p-value of a shift by trying every assignment of signs. */
function tryAllSigns(differences: readonly number[], shift: number): number {
  const shifted = differences.map((difference) => difference - shift);
  const observed = Math.abs(shifted.reduce((sum, each) => sum + each, 0));
  let reached = 0;
  for (let signs = 0; signs < 2 ** shifted.length; signs += 1) {
    let sum = 0;
    for (const [at, each] of shifted.entries()) sum += ((signs >> at) & 1) === 1 ? each : -each;
    if (Math.abs(sum) >= observed - 1e-9) reached += 1;
  }
  return reached / 2 ** shifted.length;
}

/** One repetition: the only differences are 1, −1 and 0. */
const single = fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 10 });
/** Three repetitions before, two after. */
const repeated = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 }))
    .map(([before, after]) => after / 2 - before / 3),
  { minLength: 1, maxLength: 10 },
);

describe('signFlip', () => {
  it('is McNemar’s exact test with one repetition', () => {
    // Fay, exact2x2 (R Journal 2010): discordant pairs 9 and 2, p = 0.06543.
    expect(signFlip(cases([9, 1], [2, -1], [30, 0]))?.p).toBeCloseTo(0.06543, 4);
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), fc.nat(30), (won, lost, same) => {
        const found = signFlip(cases([won, 1], [lost, -1], [same, 0]));
        if (won + lost + same > 0) expect(found?.p).toBe(mcnemarExact(lost, won));
      }),
      { numRuns: 30 },
    );
  });

  it('gives the p-value of all assignments of signs', () => {
    fc.assert(
      fc.property(single, (differences) => {
        expect(signFlip(differences)?.p).toBeCloseTo(tryAllSigns(differences, 0), 12);
      }),
      { numRuns: 50 },
    );
    fc.assert(
      fc.property(repeated, (differences) => {
        // 20,000 flips: four standard errors of a share are at most 0.0142.
        const difference = (signFlip(differences)?.p ?? 9) - tryAllSigns(differences, 0);
        expect(Math.abs(difference)).toBeLessThan(0.0142);
      }),
      { numRuns: 15 },
    );
  });

  it('holds every shift that the test does not reject', () => {
    const shift = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(single, repeated), shift, (differences, tried) => {
        const found = signFlip(differences);
        // Just at the limit, flips and all assignments may differ; and 0 follows the p-value.
        if (!found || tryAllSigns(differences, tried) < 0.065) return;
        if (tried * found.value <= 0 && found.p <= 0.05) return;
        expect(found.low).toBeLessThanOrEqual(tried + 1e-9);
        expect(found.high).toBeGreaterThanOrEqual(tried - 1e-9);
      }),
      { numRuns: 40 },
    );
  });

  it('has 0 in its interval exactly if p is above 0.05', () => {
    const many = fc
      .tuple(fc.nat(40), fc.nat(40), fc.nat(20), fc.nat(20), fc.nat(100))
      .filter((counts) => counts.some((count) => count > 0))
      .map(([a, b, c, d, e]) => cases([a, 1], [b, -1], [c, 1 / 3], [d, -2 / 3], [e, 0]));
    fc.assert(
      fc.property(fc.oneof(many, single), (differences) => {
        const found = signFlip(differences);
        if (!found) throw new Error('There were cases.');
        const { value, low, high, p } = found;
        expect(low <= 0 && high >= 0).toBe(p > 0.05);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });

  it('mirrors when the sides are swapped, in any order of cases', () => {
    const differences = cases([12, 1], [3, -1], [40, 0]);
    const [one, other] = [signFlip(differences), signFlip(differences.map((each) => -each))];
    expect(other?.value).toBe(-(one?.value ?? 9));
    expect(other?.low).toBeCloseTo(-(one?.high ?? 9), 9);
    const mixed = cases([12, 2 / 3], [3, -1], [40, 1 / 3], [5, 0]);
    expect(signFlip([...mixed].reverse())).toEqual(signFlip(mixed));
  });

  it('claims no certainty where few or no cases differ', () => {
    // Bonett and Price: −1 and 1 are added, so the half width is 1.96 · √(2/102/102).
    expect(signFlip(cases([100, 0]))?.high).toBeCloseTo(1.96 * Math.sqrt(2 / 102 / 102), 5);
    const one = signFlip(cases([1, 1], [99, 0]));
    expect(one).toMatchObject({ value: 0.01, p: 1 });
    expect(one?.low).toBeLessThan(-0.02);
    expect(one?.high).toBeGreaterThan(0.04);
    expect(signFlip(cases([3, 1], [1, -1]))).toMatchObject({ low: -1, high: 1 });
    expect(signFlip([])).toBeNull();
  });

  it('decides 100,000 cases', () => {
    const found = signFlip(cases([4_000, 1], [3_600, -1], [92_400, 0]));
    expect(found?.p).toBe(mcnemarExact(3_600, 4_000));
    // Close to normal: 0.004 ± 1.96 · √(0.076/100,000).
    expect(found?.low).toBeCloseTo(0.004 - 1.96 * Math.sqrt(0.076 / 100_000), 4);
  });
});
