import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ReadingCheck, TaskResult } from '../../../src-shared/domain/task.ts';
import { judgeReading } from './taskChecks.ts';
import { resultOf, runOf } from './trajectory.fixture.ts';

const check: ReadingCheck = {
  ...{ id: 'left', kind: 'end_state', server: 'todo', tool: 'list_tasks', arguments: {} },
  at: '/tasks',
};
const judged = (
  before: TaskResult | undefined,
  after: TaskResult | undefined,
  given: Partial<ReadingCheck> = {},
) =>
  judgeReading(
    { ...check, ...given },
    {
      ...runOf([], 'Done.', { by: 'answered' }, after === undefined ? {} : { left: after }),
      ...(before && { references: { left: before } }),
    },
  );
const tasks = (...list: JsonValue[]) => resultOf({ tasks: list });
const milk = { id: 1, title: 'Buy milk' };

describe('a reading that is compared with another one', () => {
  it.each<[string, TaskResult, TaskResult, Partial<ReadingCheck>, boolean]>([
    ['equal lists', tasks(milk), tasks(milk), {}, true],
    ['another order of members', tasks(milk), tasks({ title: 'Buy milk', id: 1 }), {}, true],
    ['another value', tasks(milk), tasks({ ...milk, title: 'buy milk' }), {}, false],
    ['one more', tasks(milk), tasks(milk, { id: 2, title: 'Pay rent' }), {}, false],
    ['one less', tasks(milk), tasks(), {}, false],
    ['a member more', tasks(milk), tasks({ ...milk, done: true }), {}, false],
    ['an ignored member', tasks(milk), tasks({ ...milk, at: 3 }), { ignore: ['at'] }, true],
    [
      'what looks like a matcher, as it is',
      tasks({ $contains: 'a' }),
      tasks({ $contains: 'b' }),
      {},
      false,
    ],
    ['another part', tasks(milk), resultOf({ tasks: [milk], total: 9 }), {}, true],
    ['an error', tasks(milk), resultOf(null, { isError: true }), {}, false],
  ])('finds %s', (_name, before, after, given, passed) => {
    expect(judged(before, after, given).passed).toBe(passed);
  });

  it('says where the values differ first', () => {
    const after = tasks(milk, { id: 2, title: 'Pay rent' });
    expect(judged(tasks(milk, { id: 2, title: 'Call mom' }), after).reason).toBe(
      'list_tasks at /tasks is not as it is after the reference solution: /1/title: expected ' +
        '"Call mom", got "Pay rent".',
    );
    expect(judged(tasks(milk), after, { kind: 'unchanged' }).reason).toBe(
      'list_tasks at /tasks is not as it is before the run: expected 1 elements, got 2.',
    );
  });

  it.each<[string, TaskResult | undefined, TaskResult | undefined]>([
    ['no reading before', undefined, tasks(milk)],
    ['no reading after', tasks(milk), undefined],
    ['an error before', resultOf(null, { isError: true, text: 'down' }), tasks(milk)],
    ['nothing at the pointer before', resultOf({ items: [] }), tasks(milk)],
  ])('is never the failure of a model with %s', (_name, before, after) => {
    expect(judged(before, after).passed).toBeNull();
  });
});
