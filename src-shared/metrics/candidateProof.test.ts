import { describe, expect, it } from 'vitest';
import { binomial, createRandom } from './random.ts';
import {
  evaluateProof,
  flipsNeeded,
  halfOf,
  proofLevel,
  type ProofCounts,
} from './candidateProof.ts';

const counts = (change: Partial<ProofCounts>): ProofCounts => ({
  won: 7,
  lost: 0,
  cases: 40,
  others: [],
  otherCalls: { expected: 100, before: 90, after: 90 },
  ...change,
});

describe('the proof of a candidate', () => {
  it('splits cases into two halves of about the same size, also among neighbors', () => {
    const halves = Array.from({ length: 1_000 }, (_, at) => halfOf(`case-${at}`));
    const search = halves.filter((half) => half === 'search').length;
    expect(search).toBeGreaterThan(430);
    expect(search).toBeLessThan(570);
    // Neighbours too, as suites number their cases.
    for (let from = 0; from < 1_000; from += 20)
      expect(new Set(halves.slice(from, from + 20)).size).toBe(2);
  });

  it('flipsNeeded is the smallest number of wins that reaches the level', () => {
    expect([1, 2, 3, 10, 40].map(flipsNeeded)).toEqual([7, 9, 10, 13, 17]);
    for (const rank of [1, 2, 6, 21]) {
      const flips = flipsNeeded(rank);
      expect(2 * 0.5 ** flips).toBeLessThanOrEqual(proofLevel(rank));
      expect(2 * 0.5 ** (flips - 1)).toBeGreaterThan(proofLevel(rank));
    }
  });

  it('spends 0.05 over all candidates that will ever follow', () => {
    const levels = Array.from({ length: 100_000 }, (_, at) => proofLevel(at + 1));
    const spent = levels.reduce((sum, level) => sum + level, 0);
    expect(levels[0]).toBeCloseTo(0.0304, 4);
    expect(spent).toBeLessThan(0.05);
    expect(spent).toBeGreaterThan(0.0499);
  });

  it('accepts a useless candidate in at most 5% of rows of 40', () => {
    const random = createRandom(7);
    const rows = 1_000;
    let accepted = 0;
    for (let row = 0; row < rows; row += 1) {
      for (let rank = 1; rank <= 40; rank += 1) {
        const flips = binomial(random, 60, 0.4);
        const won = binomial(random, flips, 0.5);
        const found = evaluateProof(counts({ won, lost: flips - won, cases: 60 }), rank);
        if (found.answer !== 'accepted') continue;
        accepted += 1;
        break;
      }
    }
    expect(accepted).toBeGreaterThan(0);
    expect(accepted / rows).toBeLessThanOrEqual(0.05);
  });

  it.each([
    ['seven wins', {}, 1, 'accepted'],
    ['seven wins after another candidate', {}, 2, 'cannot_tell'],
    ['nine wins after another candidate', { won: 9 }, 2, 'accepted'],
    ['six wins', { won: 6 }, 1, 'cannot_tell'],
    ['as many losses as wins', { won: 6, lost: 6 }, 1, 'rejected'],
    ['no flip at all', { won: 0 }, 1, 'rejected'],
    [
      'another tool that loses six',
      { won: 20, others: [{ toolId: 's:b', won: 0, lost: 6 }] },
      1,
      'rejected',
    ],
    [
      'another tool that loses five',
      { won: 20, others: [{ toolId: 's:b', won: 0, lost: 5 }] },
      1,
      'accepted',
    ],
    [
      'recall of the others down by 2 points',
      { otherCalls: { expected: 100, before: 90, after: 88 } },
      1,
      'accepted',
    ],
    [
      'recall of the others down by 3 points',
      { otherCalls: { expected: 100, before: 90, after: 87 } },
      1,
      'rejected',
    ],
    ['no other tool at all', { otherCalls: { expected: 0, before: 0, after: 0 } }, 1, 'accepted'],
  ] as const)('judges %s', (_what, change, rank, answer) => {
    expect(evaluateProof(counts(change), rank)).toMatchObject({ answer });
  });
});
