import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discreteHolm, type DiscreteTest } from './discreteHolm.ts';
import { holm } from './holm.ts';
import { mcnemarExact } from './mcnemar.ts';
import { binomial, createRandom } from './random.ts';

const mcnemar = (lost: number, won: number): DiscreteTest => ({
  p: mcnemarExact(lost, won),
  differing: lost + won,
  equalSizes: true,
});

describe('adjusted p-values of paired tests', () => {
  it('costs one ruined tool nothing where no other case differs', () => {
    const quiet = Array.from({ length: 8 }, () => mcnemar(0, 0));
    expect(discreteHolm([...quiet, mcnemar(6, 0)])).toEqual([...quiet.map(() => 1), 0.03125]);
  });

  it('counts the chances that the other tests have', () => {
    // 7 of 7: 2/128. 8 differing cases can give 2/256 (8 to 0), but not 2/128; 6 can't be so small.
    const [ruined] = discreteHolm([mcnemar(7, 0), mcnemar(4, 4), mcnemar(3, 3)]);
    expect(ruined).toBeCloseTo(2 / 128 + 2 / 256, 12);
  });

  it('takes p as the chance where the differences have several sizes', () => {
    const coarse = { p: 0.4, differing: 9, equalSizes: false };
    const [ruined] = discreteHolm([mcnemar(7, 0), coarse]);
    expect(ruined).toBeCloseTo(4 / 128, 12);
  });

  it('never falls below p, rises above Holm, or changes the order', () => {
    const test = fc
      .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
      .map(([lost, won]) => mcnemar(lost, won));
    fc.assert(
      fc.property(fc.array(test, { minLength: 1, maxLength: 12 }), (tests) => {
        const adjusted = discreteHolm(tests);
        const plain = holm(tests.map(({ p }) => p));
        for (const [at, value] of adjusted.entries()) {
          expect(value).toBeGreaterThanOrEqual(tests[at]?.p ?? 0);
          expect(value).toBeLessThanOrEqual((plain[at] ?? 0) + 1e-12);
        }
        const order = tests.map(({ p }, at) => ({ p, value: adjusted[at] ?? 0 }));
        order.sort((a, b) => a.p - b.p);
        for (const [at, { value }] of order.entries())
          expect(value).toBeGreaterThanOrEqual(order[at - 1]?.value ?? 0);
      }),
    );
  });

  it('rejects any true hypothesis in at most 5% of families', () => {
    const random = createRandom(7);
    const families = 4000;
    let wrong = 0;
    for (let family = 0; family < families; family += 1) {
      const tests = Array.from({ length: 9 }, () => {
        const differing = binomial(random, 8, 4 / 9);
        const lost = binomial(random, differing, 0.5);
        return mcnemar(lost, differing - lost);
      });
      if (discreteHolm(tests).some((p) => p <= 0.05)) wrong += 1;
    }
    // 3.29 standard errors of 5% over 4,000 families.
    expect(wrong / families).toBeLessThanOrEqual(0.05 + 3.29 * Math.sqrt((0.05 * 0.95) / families));
  });
});
