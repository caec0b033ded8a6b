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

describe('answerPairs', () => {
  it('answers better, worse or cannot tell by the adjusted p-value', () => {
    const [better, worse, even] = answerPairs([
      { bothPassed: 10, bothFailed: 5, lost: 0, won: 10 },
      { bothPassed: 10, bothFailed: 5, lost: 10, won: 0 },
      { bothPassed: 10, bothFailed: 5, lost: 2, won: 5 },
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
    const six = { bothPassed: 0, bothFailed: 0, lost: 0, won: 6 };
    expect(answerPairs([six])[0]?.answer).toBe('better');
    expect(answerPairs(Array.from({ length: 10 }, () => six))[0]).toMatchObject({
      answer: 'cannot tell',
      adjustedP: 0.3125,
    });
  });

  it('gives no numbers without cases and does not count such candidates in the correction', () => {
    const none = { bothPassed: 0, bothFailed: 0, lost: 0, won: 0 };
    const [first, second] = answerPairs([none, { bothPassed: 0, bothFailed: 0, lost: 0, won: 6 }]);
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
      fc.property(count, count, count, count, (bothPassed, bothFailed, lost, won) => {
        const [told] = answerPairs([{ bothPassed, bothFailed, lost, won }]);
        const n = bothPassed + bothFailed + lost + won;
        if (n === 0 || told?.answer !== 'cannot tell') return;
        expect(told.needed?.cases).toBeGreaterThan(n);
      }),
    );
  });
});
