import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredRatio } from '../../src-shared/metrics/clusteredInterval.ts';
import { ratioOf } from './intervals.ts';

const count = (max: number) => fc.integer({ min: 0, max });

describe('ratioOf', () => {
  it('agrees with the intervals of evaluations, for any cases', () => {
    const share = fc.tuple(count(6), count(6), count(6)).map(([a, b, more]) => ({
      y: Math.min(a, b),
      x: Math.max(a, b),
      w: Math.max(a, b) + more,
    }));
    fc.assert(
      fc.property(fc.array(share, { maxLength: 60 }), (cases) => {
        const again = ratioOf(cases);
        const first = clusteredRatio(
          cases.map(({ y, x, w }) => ({ numerator: y, denominator: x, whole: w })),
        );
        for (const name of ['value', 'low', 'high', 'n'] as const) {
          const expected = first[name];
          expect([name, again[name]]).toEqual([
            name,
            expected === null ? null : (expect.closeTo(expected, 9) as number),
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
