import { expect, test } from 'vitest';
import { thresholdText, unscoredText } from './judgementTexts.ts';

test('names a metric, its limit, and the end of the interval that a limit is for', () => {
  const judged = {
    threshold: { metric: 'selection_f1', bound: 'low', side: 'min', limit: 0.6 },
    value: 0.6754,
    outcome: 'passed',
    model: null,
  } as const;
  expect(thresholdText(judged)).toBe(
    'selection_f1.low, the low end of its 95% interval, is 0.6754 (minimum 0.6)',
  );
  expect(
    thresholdText({
      ...judged,
      threshold: { ...judged.threshold, bound: 'value', limit: 0.8 },
      outcome: 'failed',
      model: 'small',
    }),
  ).toBe('small: selection_f1 is 0.6754, below 0.8');
});

test('says once why runs are not scored, where the reason is the kind of the reason', () => {
  const message = 'no check of this task decides';
  expect(unscoredText({ failure: 'no_check', message, runs: 1, cases: ['a'] })).toBe(
    'no check of this task decides (1 run)',
  );
});
