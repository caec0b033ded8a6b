import { describe, expect, it } from 'vitest';
import {
  actualText,
  checkDifferences,
  expectedText,
} from '../../../src-shared/display/differenceTexts.ts';
import { checkDifference } from '../../../src-shared/domain/callDifference.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { checkResult, type TaskCheck, type Trajectory } from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../ajvJudge.ts';
import { judgeTask, withJudgements } from './judgeTask.ts';
import { callOf, resultOf, runOf } from './trajectory.fixture.ts';

const judge = new AjvJudge();
const state = (
  test: 'contains' | 'excludes' | 'matches',
  expected: JsonValue,
  at = '/tasks',
): TaskCheck => ({
  ...{ id: 'kept', kind: 'state', server: 'todo', tool: 'list_tasks', arguments: {} },
  ...{ at, test, expected },
});
const answer = (expected: JsonValue): TaskCheck => ({ id: 'said', kind: 'answer', expected });
const calls = (more: object): TaskCheck => ({
  ...{ id: 'made', kind: 'calls', must: [], ordered: false, never: [], ...more },
});
const read = (structured: JsonValue | null, options = {}): Trajectory =>
  runOf([], 'Done.', { by: 'answered' }, { kept: resultOf(structured, options) });
const called = (...names: string[]): Trajectory => runOf(names.map((name) => [callOf(name)]));
const tasks = { tasks: [{ title: 'Pay rent', done: false }] };

/** A failed check with a run, and its text, what it expected, and what it found. */
const failed: [string, TaskCheck, Trajectory, [string, string, string]][] = [
  [
    'another value at a place',
    state('matches', { title: 'Pay rent', done: true }, '/tasks/0'),
    read(tasks),
    [
      'check kept: list_tasks at /tasks/0: done: expected true, got false',
      'todo:list_tasks at /tasks/0: {"title":"Pay rent","done":true}',
      '{"title":"Pay rent","done":false}',
    ],
  ],
  [
    'an element that is missing',
    state('contains', { title: 'Buy milk' }),
    read(tasks),
    [
      'check kept: todo:list_tasks at /tasks: expected to contain {"title":"Buy milk"}, got [{"title":"Pay rent","done":false}]',
      'todo:list_tasks at /tasks contains: {"title":"Buy milk"}',
      '[{"title":"Pay rent","done":false}]',
    ],
  ],
  [
    'an element that should not be there',
    state('excludes', { title: 'Pay rent' }, '/tasks'),
    read(tasks),
    [
      'check kept: todo:list_tasks at /tasks: expected not to contain {"title":"Pay rent"}, got [{"title":"Pay rent","done":false}]',
      'todo:list_tasks at /tasks does not contain: {"title":"Pay rent"}',
      '[{"title":"Pay rent","done":false}]',
    ],
  ],
  [
    'a place that is not there',
    state('contains', 'x', '/none'),
    read(tasks),
    [
      'check kept: there is nothing at /none of list_tasks',
      'todo:list_tasks at /none contains: "x"',
      'nothing',
    ],
  ],
  [
    'a result that is an error',
    state('contains', 'x', ''),
    read(null, { isError: true, text: 'No such user' }),
    [
      'check kept: list_tasks returned an error: "No such user"',
      'todo:list_tasks contains: "x"',
      'nothing',
    ],
  ],
  [
    'an answer without a word',
    answer({ $contains: 'milk' }),
    runOf([], 'All done.'),
    [
      'check said: the last message: "All done." does not contain "milk"',
      'contains "milk"',
      '"All done."',
    ],
  ],
  [
    'no answer',
    answer('Done.'),
    runOf([], null),
    ['check said: the last message: expected "Done.", got nothing', '"Done."', 'nothing'],
  ],
  [
    'a call that was not made',
    calls({ must: ['add_task', 'complete_task'] }),
    called('add_task'),
    [
      'check made: the model did not call “complete_task”; called todo:add_task',
      'add_task, complete_task',
      'todo:add_task',
    ],
  ],
  [
    'no call at all',
    calls({ must: ['add_task'] }),
    called(),
    ['check made: the model did not call “add_task”; called no tool', 'add_task', 'no tool'],
  ],
  [
    'calls in another order',
    calls({ must: ['add_task', 'complete_task'], ordered: true }),
    called('complete_task', 'add_task'),
    [
      'check made: the calls are not in the required order: add_task, complete_task; called todo:complete_task, todo:add_task',
      'add_task, complete_task in this order',
      'todo:complete_task, todo:add_task',
    ],
  ],
  [
    'a forbidden call',
    calls({ must: ['add_task'], never: ['delete_task'] }),
    called('add_task', 'delete_task'),
    [
      'check made: “delete_task” must not be called, but the model called it; called todo:add_task, todo:delete_task',
      'add_task; never delete_task',
      'todo:add_task, todo:delete_task',
    ],
  ],
];

describe('checkDifferences', () => {
  it.each(failed)('says what a check expected and found: %s', (_name, check, run, texts) => {
    const { checks } = judgeTask([check], run, judge);
    const [one, ...more] = checkDifferences([check], checks);
    expect(more).toEqual([]);
    expect(one && [one.text, expectedText(one), actualText(one)]).toEqual(texts);
    expect(checkDifference.parse(one)).toEqual(one);
    // What is stored is what was judged, also after it was written as JSON.
    expect(checks.map((each) => checkResult.parse(JSON.parse(JSON.stringify(each))))).toEqual(
      checks,
    );
  });

  it('names every failed check, and none that passed, is open, or decides nothing', () => {
    const rubric: TaskCheck = { id: 'polite', kind: 'judge', rubric: 'It is polite.' };
    const all = [answer('Done.'), calls({ must: ['add_task'] }), rubric, state('matches', 1)];
    const run = runOf([], 'No.');
    const rules = judgeTask(all, run, judge);
    const said = new Map([['polite', { passed: false, reason: 'It is rude.' }]]);
    const ids = (counts: boolean) =>
      checkDifferences(all, withJudgements(rules, run, said, counts).checks).map(
        ({ check, text }) => [check, text],
      );
    const own = [
      ['said', 'check said: the last message: expected "Done.", got "No."'],
      ['made', 'check made: the model did not call “add_task”; called no tool'],
    ];
    expect(ids(false)).toEqual(own);
    expect(ids(true)).toEqual([...own, ['polite', 'check polite: It is rude']]);
  });

  it('says the reason alone where an older verdict lacks what was found, and cuts long values', () => {
    const check = state('contains', 'x');
    const old = { id: 'kept', kind: 'state' as const, passed: false, reason: 'It lacks x.' };
    expect(checkDifferences([check], [old])[0]).toMatchObject({
      ...{ text: 'check kept: It lacks x', expected: 'x' },
    });
    const { checks } = judgeTask([check], read({ tasks: ['y'.repeat(5_000)] }), judge);
    expect(JSON.stringify(checks).length).toBeLessThan(3_000);
  });
});
