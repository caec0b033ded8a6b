import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../runtime/steps.ts';
import { fullTable, pairsOf, scoreSteps } from './pairTable.ts';
import { rankPairs } from './rankPairs.ts';

/** Few different scores, some of them next to each other in one bin. */
const steps = fc.constantFrom(0, 1, 2, 40_000, 40_001, scoreSteps - 1, scoreSteps);

describe('rankPairs', () => {
  it('lists the same pairs as a sort of all, whatever is wanted and filtered', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }).chain((count) =>
          fc.record({
            count: fc.constant(count),
            scores: fc.array(steps, { minLength: pairsOf(count), maxLength: pairsOf(count) }),
          }),
        ),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 3 }),
        ({ count, scores }, most, every) => {
          const table = fullTable(Uint32Array.from(scores), count);
          const filter = (a: number, b: number): boolean => (a + b) % every === 0;
          const all: { a: number; b: number; score: number }[] = [];
          table.each((a, b, score) => {
            if (filter(a, b)) all.push({ a, b, score });
          });
          all.sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
          expect(finish(rankPairs(table, most, filter))).toEqual({
            total: all.length,
            pairs: all.slice(0, most).map(({ a, b }) => ({ a, b })),
          });
        },
      ),
    );
  });

  it('collects no more pairs than wanted where all scores are equal', () => {
    const count = 2_000;
    const table = fullTable(new Uint32Array(pairsOf(count)).fill(7), count);
    const { pairs, total } = finish(rankPairs(table, 3));
    expect(total).toBe(pairsOf(count));
    expect(pairs).toEqual([
      { a: 0, b: 1 },
      { a: 0, b: 2 },
      { a: 0, b: 3 },
    ]);
  });
});
