import { expect, it } from 'vitest';
import { emptyTaskOutcomes } from '../domain/taskEvaluation.ts';
import { emptyOutcomeCounts } from '../metrics/outcomes.ts';
import { failedLast, lastOutcomesText, lastOutcomeTitle } from './lastOutcomeTexts.ts';

const last = {
  model: 'openai · good',
  evaluationId: 'e',
  number: 6,
  runId: 'r',
  outcome: 'wrong_tool' as const,
  passed: 0,
  scored: 1,
  changed: false,
};
const model = { model: 'openai · good', entries: 3, changed: 0 };
const results = [6, 4, 3, 2].map((number) => ({ id: `${number}`, number }));

it.each([
  [{}, 'Wrong tool', true],
  [{ passed: 2, scored: 3 }, '2 of 3 passed', true],
  [{ passed: 3, scored: 3, outcome: 'passed' as const }, '3 of 3 passed', false],
  [{ outcome: 'check_failed' as const }, 'Failed', true],
  [{ outcome: 'not_scored' as const, scored: 0 }, 'Not scored', false],
  [{ changed: true }, 'Changed since', false],
])('names the outcome of %o', (part, title, failed) => {
  expect(lastOutcomeTitle({ ...last, ...part })).toBe(title);
  expect(failedLast({ ...last, ...part })).toBe(failed);
});

it('names the results that the outcomes come from, and what is not counted', () => {
  const outcomes = { ...emptyOutcomeCounts(), passed: 1, wrong_tool: 1, not_scored: 1 };
  const rate = { value: 0.5, low: null, high: null, n: 2 };
  const cases = { ...model, unit: 'case' as const, results, outcomes, changed: 2, rate };
  expect(lastOutcomesText(cases)).toBe(
    'openai · good: 1 of 2 runs of cases passed, 50% (#6, #4, and 2 more · 1 not scored · 2 cases changed since)',
  );
});

it('gives no rate where nothing was scored', () => {
  const tasks = {
    ...model,
    unit: 'task' as const,
    results: results.slice(0, 1),
    outcomes: { ...emptyTaskOutcomes(), not_scored: 1 },
    rate: { value: null, low: null, high: null, n: 0 },
  };
  expect(lastOutcomesText(tasks)).toBe(
    'openai · good: no run of a task was scored (#6 · 1 not scored)',
  );
});
