import { describe, expect, it } from 'vitest';
import { flipsNeeded, halfOf, evaluateProof, type ProofCounts } from './rewriteProof.ts';

const counts = (change: Partial<ProofCounts>): ProofCounts => ({
  won: 6,
  lost: 0,
  cases: 40,
  others: [],
  otherCalls: { expected: 100, before: 90, after: 90 },
  ...change,
});

describe('the proof of a rewrite', () => {
  it('splits cases into two halves of about the same size, also among neighbors', () => {
    const halves = Array.from({ length: 1_000 }, (_, at) => halfOf(`case-${at}`));
    const search = halves.filter((half) => half === 'search').length;
    expect(search).toBeGreaterThan(430);
    expect(search).toBeLessThan(570);
    // Neighbours too, as suites number their cases.
    for (let from = 0; from < 1_000; from += 20)
      expect(new Set(halves.slice(from, from + 20)).size).toBe(2);
  });

  it('flipsNeeded is the smallest number of wins that reaches p', () => {
    expect([0, 1, 2, 3, 9].map(flipsNeeded)).toEqual([6, 7, 7, 8, 9]);
    for (const proved of [0, 1, 5, 20]) {
      const flips = flipsNeeded(proved);
      expect(2 * 0.5 ** flips).toBeLessThanOrEqual(0.05 / (proved + 1));
      expect(2 * 0.5 ** (flips - 1)).toBeGreaterThan(0.05 / (proved + 1));
    }
  });

  it.each([
    ['six wins', {}, [], 'accepted'],
    ['six wins after another candidate', {}, [0.5], 'cannot_tell'],
    ['seven wins after another candidate', { won: 7 }, [0.5], 'accepted'],
    ['five wins', { won: 5 }, [], 'cannot_tell'],
    ['as many losses as wins', { won: 6, lost: 6 }, [], 'rejected'],
    ['no flip at all', { won: 0 }, [], 'rejected'],
    [
      'another tool that loses six',
      { won: 20, others: [{ toolId: 's:b', won: 0, lost: 6 }] },
      [],
      'rejected',
    ],
    [
      'another tool that loses five',
      { won: 20, others: [{ toolId: 's:b', won: 0, lost: 5 }] },
      [],
      'accepted',
    ],
    [
      'recall of the others down by 2 points',
      { otherCalls: { expected: 100, before: 90, after: 88 } },
      [],
      'accepted',
    ],
    [
      'recall of the others down by 3 points',
      { otherCalls: { expected: 100, before: 90, after: 87 } },
      [],
      'rejected',
    ],
    ['no other tool at all', { otherCalls: { expected: 0, before: 0, after: 0 } }, [], 'accepted'],
  ] as const)('judges %s', (_what, change, before, answer) => {
    expect(evaluateProof(counts(change), before)).toMatchObject({ answer });
  });
});
