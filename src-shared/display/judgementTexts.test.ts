import { expect, test } from 'vitest';
import { thresholdText } from './judgementTexts.ts';

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
