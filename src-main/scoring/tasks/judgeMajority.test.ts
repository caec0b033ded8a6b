import { describe, expect, it } from 'vitest';
import { isTied, type JudgeVote } from '../../../src-shared/domain/judgeVote.ts';
import { majorityOf } from './judgeMajority.ts';

const votes = (...said: (boolean | null)[]): JudgeVote[] =>
  said.map((passed, at) => ({ judge: `j${at}`, passed, reason: `Reason ${at}.` }));

describe('the majority of judges', () => {
  it.each([
    [[true, true, false], true],
    [[true, false, false], false],
    // More than half of the usable verdicts, whatever the others gave.
    [[true, null, null], true],
    [[false, null, true, false], false],
  ])('of %j is %s', (said, passed) => {
    const found = majorityOf(votes(...said));
    expect(found).toMatchObject({ passed, votes: votes(...said) });
    expect(found.unusable).toBeUndefined();
    expect(isTied(found)).toBe(false);
  });

  it('is none where as many say yes as no, or where no verdict is usable', () => {
    expect(majorityOf(votes(true, false))).toMatchObject({ passed: null, unusable: true });
    expect(isTied(majorityOf(votes(true, false, null)))).toBe(true);
    const none = majorityOf(votes(null, null));
    expect(none).toMatchObject({ passed: null, unusable: true });
    expect(none.reason).toBe('0 of 2 judges said yes, 0 no, 2 gave no usable verdict: Reason 0.');
    expect(isTied(none)).toBe(false);
  });
});
