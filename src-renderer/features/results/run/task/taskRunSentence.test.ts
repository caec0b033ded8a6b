import { describe, expect, it } from 'vitest';
import { defaultTaskLimits, taskContent } from '../../../../../src-shared/domain/task.ts';
import type { JsonValue } from '../../../../../src-shared/domain/json.ts';
import { taskRunSentence } from './taskRunSentence.ts';

const state = (test: string, expected: JsonValue) => ({
  id: 'one',
  kind: 'state',
  server: 'todo',
  tool: 'list_tasks',
  arguments: {},
  at: '/tasks',
  test,
  expected,
});

const contentOf = (check: object) =>
  taskContent.parse({
    name: 'a task',
    turns: ['Do it.'],
    tags: [],
    servers: ['todo'],
    setup: [],
    checks: [check],
    limits: defaultTaskLimits,
    stubs: [],
    injection: null,
  });

const failing = (check: object, reason: string) => {
  const content = contentOf(check);
  const kind = content.checks[0]?.kind ?? 'state';
  const checks = [{ id: 'one', kind, passed: false, reason }];
  return taskRunSentence({ outcome: 'check_failed', reason, failure: null, checks, content });
};

describe('the sentence about a run of a task', () => {
  it('says which entry of a state is missing', () => {
    expect(
      failing(
        state('contains', { title: { $contains: 'milk' }, completed: true }),
        'list_tasks at /tasks does not contain {…}, but should.',
      ),
    ).toBe(
      'The task wasn’t done: list_tasks doesn’t show title (contains "milk"), completed true.',
    );
  });

  it('says which entry of a state is still there', () => {
    expect(
      failing(
        state('excludes', { title: 'Buy milk' }),
        'list_tasks at /tasks contains {…}, but should not.',
      ),
    ).toBe('The task wasn’t done: list_tasks still shows title "Buy milk".');
  });

  it('keeps the reason of a state that could not be compared', () => {
    expect(
      failing(
        state('excludes', { title: 'Buy milk' }),
        'There is nothing at /tasks of list_tasks.',
      ),
    ).toBe('The task wasn’t done: there is nothing at /tasks of list_tasks.');
  });

  it('says what an answer should be', () => {
    expect(
      failing({ id: 'one', kind: 'answer', expected: { $contains: 'two' } }, 'The last message: …'),
    ).toBe('The task wasn’t done: the last answer isn’t what the check expects (contains "two").');
  });

  it('says which call is missing', () => {
    expect(
      failing(
        { id: 'one', kind: 'calls', must: ['list_tasks'], ordered: false, never: [] },
        'The model did not call “list_tasks”.',
      ),
    ).toBe('The task wasn’t done: the model did not call “list_tasks”.');
  });

  it('tells a run without a score from a task that was not done', () => {
    const content = contentOf({ id: 'one', kind: 'answer', expected: 'done' });
    const of = (
      outcome: 'succeeded' | 'limit' | 'not_scored' | null,
      reason: string | null,
      failure: 'environment' | null = null,
    ) => taskRunSentence({ outcome, reason, failure, checks: [], content });
    expect(of('succeeded', null)).toBe('The task was done');
    expect(of('limit', 'The run reached its limit of steps.')).toBe(
      'The task wasn’t done: the run reached its limit of steps.',
    );
    expect(of('not_scored', 'A long error.', 'environment')).toBe(
      'The run wasn’t scored: a server could not be started or reached',
    );
    expect(of('not_scored', 'The state was not recorded.')).toBe(
      'The run wasn’t scored: the state was not recorded.',
    );
    expect(of(null, null)).toBe('Not run');
  });
});
