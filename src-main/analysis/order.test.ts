import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstByScore, orderByScore } from './order.ts';

/** Few different values, so that ties are common, and every magnitude of a double. */
const score = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 1e-300, 3.25),
  fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => Math.abs(value)),
);
const scored = fc.oneof(
  fc.array(score, { maxLength: 30 }),
  fc.array(score, { minLength: 500, maxLength: 700 }),
);

function expectedOrder(scores: readonly number[], tieOrder: Int32Array): number[] {
  return [...tieOrder]
    .map((position, rank) => ({ position, rank }))
    .sort((a, b) => (scores[b.position] ?? 0) - (scores[a.position] ?? 0) || a.rank - b.rank)
    .map(({ position }) => position);
}

describe('orderByScore', () => {
  it('equals a comparison sort for any scores, ties included', () => {
    fc.assert(
      fc.property(scored, fc.integer(), (list, seed) => {
        // Any permutation will do as the order of ties.
        const tieOrder = Int32Array.from(list.keys()).sort(
          (a, b) => Math.imul(a ^ seed, 2654435761) - Math.imul(b ^ seed, 2654435761) || a - b,
        );
        const expected = expectedOrder(list, tieOrder);
        expect([...orderByScore(Float64Array.from(list), tieOrder)]).toEqual(expected);
        for (const k of [0, 1, 2, 10, list.length, list.length + 5])
          expect([...firstByScore(Float64Array.from(list), tieOrder, k)]).toEqual(
            expected.slice(0, k),
          );
      }),
    );
  });
});
