import { describe, expect, it } from 'vitest';
import type { TaskCheck, TaskResult, TrajectoryCall } from '../../../src-shared/domain/task.ts';
import { effectsOf, repeatsOf, trajectoryFacts } from './trajectoryFacts.ts';
import { callOf, resultOf, runOf, stepOf } from './trajectory.fixture.ts';

const must = (...names: string[]): TaskCheck[] => [
  { id: 'calls', kind: 'calls', must: names, ordered: false, never: [] },
];
const textOf = (text: string): TaskResult => resultOf(null, { text });
const effects = ({ tool }: TrajectoryCall) =>
  tool === null
    ? null
    : { readOnly: tool.startsWith('list'), destructive: tool.startsWith('delete') };

describe('effectsOf', () => {
  it('takes a tool without annotations for one that destroys', () => {
    expect(effectsOf(null)).toEqual({ readOnly: false, destructive: true });
    expect(effectsOf({ readOnlyHint: true })).toEqual({ readOnly: true, destructive: false });
    expect(effectsOf({ destructiveHint: false })).toEqual({ readOnly: false, destructive: false });
  });
});

describe('trajectoryFacts', () => {
  it('counts steps, calls, tokens and time of a run', () => {
    const run = runOf([[callOf('add_task'), callOf('list_tasks')]]);
    expect(trajectoryFacts(must('add_task'), run, effects)).toMatchObject({
      steps: 2,
      calls: 2,
      tokens: 24,
      elapsedMs: 50,
      neededCalls: 1,
    });
    expect(trajectoryFacts([], run, effects).neededCalls).toBeNull();
  });

  it('has no token count if one step has none', () => {
    const run = runOf([]);
    const steps = [...run.steps, { ...stepOf([]), usage: null }];
    expect(trajectoryFacts([], { ...run, steps }, effects).tokens).toBeNull();
  });

  it('counts a call that equals an earlier one as repeated', () => {
    const run = runOf([
      [callOf('list_tasks', { a: 1, b: 2 }), callOf('list_tasks', { b: 2, a: 1 })],
      [callOf('list_tasks', { a: 2 })],
    ]);
    expect(trajectoryFacts([], run, effects).repeatedCalls).toBe(1);
    expect(repeatsOf(run)).toEqual([{ step: 0, call: 1 }]);
  });

  it('finds a call that equals one of an earlier step', () => {
    const run = runOf([
      [callOf('list_tasks', {})],
      [callOf('add_task', { title: 'a' }), callOf('list_tasks', {})],
      [callOf('list_tasks', {})],
    ]);
    expect(repeatsOf(run)).toEqual([
      { step: 1, call: 1 },
      { step: 2, call: 0 },
    ]);
  });

  it('counts a read whose result appears nowhere later as unused', () => {
    const listed = callOf('list_tasks', {}, { result: resultOf({ id: 'task-77' }) });
    const unread = runOf([[listed]], 'Done.');
    expect(trajectoryFacts([], unread, effects).unusedCalls).toBe(1);
    expect(trajectoryFacts(must('list_tasks'), unread, effects).unusedCalls).toBe(0);
    const inArgument = runOf([[listed], [callOf('complete_task', { id: 'task-77' })]]);
    expect(trajectoryFacts([], inArgument, effects).unusedCalls).toBe(0);
    const counted = callOf('list_tasks', {}, { result: resultOf({ count: 7 }) });
    expect(trajectoryFacts([], runOf([[counted]], 'It is 2077.'), effects).unusedCalls).toBe(1);
    expect(trajectoryFacts([], runOf([[counted]], 'There are 7.'), effects).unusedCalls).toBe(0);
    const inAnswer = runOf([[listed]], 'I found task-77.');
    expect(trajectoryFacts([], inAnswer, effects).unusedCalls).toBe(0);
  });

  it.each<[string, TaskResult, string, number]>([
    ['a value of a text', textOf('Task 7 created: Buy milk'), 'I added "buy milk".', 0],
    ['a number of a text', textOf('Temperature: 21.5 °C, wind 3 m/s'), 'It is 21.5 degrees.', 0],
    ['an id of a text', textOf('Created task-77 for you.'), 'See TASK-77.', 0],
    ['a line of a text', textOf('notes\nBuy milk\nPay rent'), 'First: pay rent', 0],
    ['a number with a separator', resultOf({ lines: 12_345 }), 'It has 12,345 lines.', 0],
    ['plain words that both have', textOf('The task was added for you.'), 'The end for you.', 1],
    ['a part of a number', resultOf({ count: 7 }), 'In 2077.', 1],
    ['another value', textOf('Created task-77 for you.'), 'See task-78.', 1],
  ])('compares values of results with what follows: %s', (_name, result, answer, unused) => {
    const run = runOf([[callOf('list_tasks', {}, { result })]], answer);
    expect(trajectoryFacts([], run, effects).unusedCalls).toBe(unused);
  });

  it('counts executed destructive calls that no check expects, if a check says anything of calls', () => {
    const run = runOf([
      [callOf('delete_task'), callOf('delete_all', {}, { answeredBy: 'not_executed' })],
    ]);
    expect(trajectoryFacts(must('add_task'), run, effects).unwantedEffects).toBe(1);
    expect(trajectoryFacts(must('delete_task'), run, effects).unwantedEffects).toBe(0);
    const chosen = { ...must()[0], any: ['delete_task', 'add_task'] } as TaskCheck;
    expect(trajectoryFacts([chosen], run, effects).unwantedEffects).toBe(0);
    const answer: TaskCheck = { id: 'a', kind: 'answer', expected: 'Done.' };
    expect(trajectoryFacts([answer], run, effects).unwantedEffects).toBe(0);
  });

  it('counts a destructive call without an answer, and the time that it was waited for', () => {
    const waited = { answeredBy: 'no_answer' as const, durationMs: 8_000 };
    const run = runOf([[callOf('delete_task', {}, waited)]], null);
    expect(trajectoryFacts(must('add_task'), run, effects)).toMatchObject({
      calls: 1,
      unwantedEffects: 1,
      elapsedMs: 8_040,
    });
    const ended = runOf([[callOf('delete_task', {}, { answeredBy: 'run_ended', durationMs: 0 })]]);
    expect(trajectoryFacts([], ended, effects)).toMatchObject({ calls: 1, unwantedEffects: 0 });
  });

  it('counts results that are errors', () => {
    const failed = callOf('add_task', {}, { result: resultOf(null, { isError: true }) });
    expect(trajectoryFacts([], runOf([[failed, callOf('add_task')]]), effects).toolErrors).toBe(1);
  });
});
