import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerPairs, caseOutcome } from './pairing.ts';

describe('caseOutcome', () => {
  it('needs more than half of the scored runs, and reports ties and unscored cases separately', () => {
    expect(
      [
        [2, 3],
        [1, 2],
        [1, 3],
        [0, 0],
        [1, 1],
        [0, 1],
      ].map(([passed = 0, scored = 0]) => caseOutcome(passed, scored)),
    ).toEqual(['passed', 'tied', 'failed', 'not_scored', 'passed', 'failed']);
  });
});

const pairs = ({ same, lost, won }: { same: number; lost: number; won: number }): number[] => [
  ...new Array<number>(same).fill(0),
  ...new Array<number>(lost).fill(-1),
  ...new Array<number>(won).fill(1),
];

describe('answerPairs', () => {
  it('answers better, worse or cannot tell by the adjusted p-value', () => {
    const [better, worse, even] = answerPairs([
      pairs({ same: 15, lost: 0, won: 10 }),
      pairs({ same: 15, lost: 10, won: 0 }),
      pairs({ same: 15, lost: 2, won: 5 }),
    ]);
    expect(better).toMatchObject({
      answer: 'better',
      pValue: 2 / 1024,
      adjustedP: 6 / 1024,
      needed: null,
    });
    expect(worse).toMatchObject({ answer: 'worse', pValue: 2 / 1024 });
    expect(even?.answer).toBe('cannot tell');
    expect(even?.needed?.cases).toBeGreaterThan(22);
  });

  it('cannot tell for six of six among ten candidates: Holm makes 0.03125 into 0.3125', () => {
    const six = pairs({ same: 0, lost: 0, won: 6 });
    expect(answerPairs([six])[0]?.answer).toBe('better');
    expect(answerPairs(Array.from({ length: 10 }, () => six))[0]).toMatchObject({
      answer: 'cannot tell',
      adjustedP: 0.3125,
    });
  });

  it('gives no numbers without cases and does not count such candidates in the correction', () => {
    const [first, second] = answerPairs([[], pairs({ same: 0, lost: 0, won: 6 })]);
    expect(first).toEqual({
      difference: null,
      pValue: null,
      adjustedP: null,
      answer: 'cannot tell',
      needed: null,
    });
    expect(second).toMatchObject({ answer: 'better', adjustedP: 0.03125 });
  });

  it('names a number of needed cases above the current one with every "cannot tell"', () => {
    const count = fc.nat(40);
    fc.assert(
      fc.property(count, count, count, (same, lost, won) => {
        const [told] = answerPairs([pairs({ same, lost, won })]);
        const n = same + lost + won;
        if (n === 0 || told?.answer !== 'cannot tell') return;
        expect(told.needed?.cases).toBeGreaterThan(n);
      }),
      { numRuns: 50 },
    );
  });

  it('uses every repetition: 20 cases that fall from 3 of 3 to 2 of 3 are worse', () => {
    const [told] = answerPairs([new Array<number>(20).fill(2 / 3 - 1)]);
    expect(told).toMatchObject({ answer: 'worse', pValue: 2 * 0.5 ** 20 });
    expect(told?.difference?.value).toBeCloseTo(-1 / 3, 9);
  });

  it('names 78 cases for 4 wins in 40, and decides if the same difference is in 8 of them', () => {
    const once = answerPairs([pairs({ same: 36, lost: 0, won: 4 })])[0]?.needed;
    const spread = answerPairs([
      [...new Array<number>(8).fill(0.5), ...new Array<number>(32).fill(0)],
    ]);
    expect(once).toMatchObject({ points: 0.1, cases: 78 });
    expect(spread[0]?.answer).toBe('better');
  });
});
