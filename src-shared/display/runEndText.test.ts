import { expect, it } from 'vitest';
import { runCauseLabels } from './runCauseTexts.ts';
import {
  runEndText,
  shownTaskOutcomes,
  signOfTask,
  taskOutcomeTexts,
  type TaskOutcomeCounts,
} from './taskTexts.ts';

const counts: TaskOutcomeCounts = {
  ...{ succeeded: 4, check_failed: 2, limit: 1, loop: 0, refused: 1, no_answer: 0 },
  ...{ not_scored: 3, not_run: 0 },
};

it('counts all runs that failed as one outcome in a list of many', () => {
  expect(shownTaskOutcomes(counts)).toEqual([
    { outcome: 'succeeded', count: 4 },
    { outcome: 'check_failed', count: 4 },
    { outcome: 'not_scored', count: 3 },
  ]);
});

it.each([
  ['limit', 'check_failed'],
  ['check_failed', 'check_failed'],
  ['succeeded', 'succeeded'],
  ['not_scored', 'not_scored'],
  ['wrong_tool', 'wrong_tool'],
])('signs %s as %s in a list of many', (outcome, sign) => {
  expect(signOfTask(outcome)).toBe(sign);
});

it('says of a run by itself what the model did, or how it ended', () => {
  const cause = { kind: 'missed_call', tool: 's:a', called: null } as const;
  expect(runEndText({ outcome: 'check_failed', cause })).toBe('left out a call');
  expect(runEndText({ outcome: 'succeeded', cause: null })).toBe('succeeded');
  expect(runEndText({ outcome: null, cause: null })).toBe('not run');
});

it.each(['loop', 'limit', 'no_answer', 'refused'] as const)(
  'has one word for the outcome %s and the cause of that name',
  (kind) => {
    expect(runCauseLabels[kind].label).toBe(taskOutcomeTexts[kind].label);
  },
);
