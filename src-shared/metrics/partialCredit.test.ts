import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../domain/task.ts';
import { partialCredit } from './partialCredit.ts';

const check = (passed: boolean | null, more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ id: 'a', kind: 'answer', passed, reason: '' },
  ...more,
});

describe('the partial credit of a run', () => {
  it.each<[string, CheckResult[], number | null]>([
    ['all checks passed', [check(true), check(true)], 1],
    ['one of two', [check(true), check(false)], 0.5],
    ['one that weighs more', [check(true, { weight: 3 }), check(false)], 0.75],
    ['one that could not be judged', [check(true), check(null)], 0.5],
    ['a judge that decides nothing', [check(true), check(false, { advisory: true })], 1],
    ['no check that decides', [check(true, { advisory: true })], null],
  ])('is the weighted share of the checks that passed: %s', (_name, checks, credit) => {
    expect(partialCredit({ outcome: 'check_failed', checks })).toBe(credit);
  });

  it('counts the checks of a run that ended by a limit, and no run without a score', () => {
    const checks = [check(true), check(false)];
    expect(partialCredit({ outcome: 'limit', checks })).toBe(0.5);
    expect(partialCredit({ outcome: 'not_scored', checks })).toBeNull();
    expect(partialCredit({ outcome: null, checks: [] })).toBeNull();
  });
});
