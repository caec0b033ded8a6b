import { describe, expect, it } from 'vitest';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import {
  taskContent,
  defaultTaskLimits,
  type TaskContent,
} from '../../../src-shared/domain/task.ts';
import { expectedRequests, plannedTask } from './planTaskModels.ts';

const task = (given: Partial<TaskContent>): TaskContent =>
  taskContent.parse({
    name: 'A task',
    turns: ['Add milk.'],
    tags: [],
    servers: [],
    setup: [],
    checks: [{ id: 'answer', kind: 'answer', expected: 'done' }],
    limits: defaultTaskLimits,
    stubs: [],
    injection: null,
    ...given,
  });
const must = (...names: string[]): TaskContent['checks'][number] => ({
  id: 'calls',
  kind: 'calls',
  must: names,
  ordered: false,
  never: [],
});

describe('the expected requests of a task', () => {
  it.each([
    ['one call and one answer', {}, 2, 1],
    ['one call per turn, without required calls', { turns: ['A.', 'B.', 'C.'] }, 6, 3],
    ['the required calls, if they are more', { checks: [must('a', 'b', 'b')] }, 4, 3],
    [
      'one call per turn, if fewer are required',
      { turns: ['A.', 'B.'], checks: [must('a')] },
      4,
      2,
    ],
    [
      'no more than its limit of steps',
      { checks: [must('a', 'b', 'c', 'd')], limits: { ...defaultTaskLimits, steps: 3 } },
      3,
      2,
    ],
  ])('are %s', (_what, given, requests, calls) => {
    expect(expectedRequests(task(given))).toEqual({ requests, calls });
  });
});

describe('the tokens of a task besides tools and prompts', () => {
  it('repeat the turn in each request, and answers and results in those that follow', () => {
    const { ownTokens } = plannedTask({ key: 't', content: task({}) }, ['todo']);
    // Two requests: both have the turn, the second also an answer and a result of 120 tokens each;
    // results are spread evenly, so that one call counts half before it.
    expect(ownTokens).toBe(2 * countTokens('Add milk.') + (2 * 120 + 120) / 2);
  });

  it('begin each turn with its share of the requests', () => {
    const turns = ['Add milk.', 'Mark the task as completed.'];
    const { requests, ownTokens } = plannedTask({ key: 't', content: task({ turns }) }, ['todo']);
    expect(requests).toBe(4);
    // All four requests have the first turn, the last two also the second: 3/2 · (4 · 120 + 2 · 120).
    expect(ownTokens).toBe(
      4 * countTokens('Add milk.') + 2 * countTokens('Mark the task as completed.') + 1080,
    );
  });
});
