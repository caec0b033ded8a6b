import { formatPValue, formatPoints } from './numbers.ts';
import { describe, expect, it } from 'vitest';
import { describeAnswer } from './comparisonAnswer.ts';

describe('describeAnswer', () => {
  const difference = { value: 0.0625, low: 0.011, high: 0.11 };
  it('states the answer with difference, interval, p and cases', () => {
    expect(
      describeAnswer({
        unit: 'case',
        difference,
        adjustedP: 0.016,
        sharedCases: 80,
        answer: 'better',
        needed: null,
      }),
    ).toBe('Better: +6.3 points [+1.1 to +11.0], p 0.016, over 80 cases.');
    expect(
      describeAnswer({
        unit: 'case',
        difference,
        adjustedP: 0.3,
        sharedCases: 24,
        answer: 'cannot tell',
        needed: { cases: 310, points: 0.0625 },
      }),
    ).toBe(
      'Within noise: +6.3 points [+1.1 to +11.0], p 0.300, over 24 cases. A difference of 6.3 points takes 310 cases to show in 4 of 5 tries.',
    );
    expect(
      describeAnswer({
        unit: 'case',
        difference: null,
        adjustedP: null,
        sharedCases: 0,
        answer: 'cannot tell',
        needed: null,
      }),
    ).toContain('no case was scored');
  });

  it('says how many repetitions of the shared tasks would decide, or that none would', () => {
    const answered = {
      ...{ unit: 'task' as const, difference, adjustedP: 0.3, sharedCases: 24 },
      ...{ answer: 'cannot tell' as const, needed: { cases: 310, points: 0.0625 } },
    };
    const withNeed = (repetitions: number | null) =>
      describeAnswer({ ...answered, needed: { ...answered.needed, repetitions } });
    expect(withNeed(12)).toMatch(
      / A difference of 6\.3 points takes 310 tasks to show in 4 of 5 tries, or 12 repetitions of each shared task\.$/u,
    );
    expect(withNeed(null)).toMatch(/ in 4 of 5 tries; repeating the same tasks is not enough\.$/u);
  });

  it('shows p-values with two digits, never rounded across 0.05, and zero without a sign', () => {
    expect([
      formatPValue(1e-9),
      formatPValue(0.05001),
      formatPValue(0.05),
      formatPValue(0.004),
      formatPValue(1),
    ]).toEqual(['< 0.0001', '> 0.05', '0.050', '0.0040', '1.000']);
    expect([formatPoints(0), formatPoints(-0.0001), formatPoints(-0.02)]).toEqual([
      '0.0',
      '0.0',
      '−2.0',
    ]);
  });
});
