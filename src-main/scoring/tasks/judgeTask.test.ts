import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { TaskCheck, TaskEnd } from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../ajvJudge.ts';
import { judgeTask, withJudgements } from './judgeTask.ts';
import { LoopGuard } from './loopGuard.ts';
import { containsPart } from './taskChecks.ts';
import { callOf, resultOf, runOf, stepOf } from './trajectory.fixture.ts';

const judge = new AjvJudge();
const tasks = {
  tasks: [
    { id: 1, title: 'Pay rent', completed: false },
    { id: 2, title: 'Buy milk', completed: true },
  ],
};
const stateOf = (
  test: 'contains' | 'excludes' | 'matches',
  expected: JsonValue,
  at = '/tasks',
): TaskCheck => ({
  id: 'state',
  kind: 'state',
  server: 'todo',
  tool: 'list_tasks',
  arguments: {},
  at,
  test,
  expected,
});
const withState = (structured: JsonValue | null, options = {}) =>
  runOf([], 'Done.', { by: 'answered' }, { state: resultOf(structured, options) });
const passes = (check: TaskCheck, run = withState(tasks)) =>
  judgeTask([check], run, judge).checks[0]?.passed;

describe('a state check', () => {
  it.each<[string, TaskCheck, boolean]>([
    [
      'an element with at least these members',
      stateOf('contains', { title: { $contains: 'milk' }, completed: true }),
      true,
    ],
    [
      'no single element with all members',
      stateOf('contains', { title: { $contains: 'rent' }, completed: true }),
      false,
    ],
    ['an element that is excluded', stateOf('excludes', { title: 'pay rent' }), false],
    ['no element that is excluded', stateOf('excludes', { title: 'Call mom' }), true],
    ['a value by pointer', stateOf('matches', true, '/tasks/1/completed'), true],
    ['another value', stateOf('matches', { $gte: 3 }, '/tasks/1/id'), false],
    ['absence', stateOf('matches', { $absent: true }, '/tasks/2'), true],
  ])('judges %s', (_name, check, passed) => {
    expect(passes(check)).toBe(passed);
  });

  it('finds a part at any depth with $partial', () => {
    const graph = withState({
      entities: [{ name: 'Bob' }, { name: 'Ana', lives: { in: 'Rome', since: 2020 } }],
      total: 2,
    });
    const ana = { name: 'Ana', lives: { in: 'Rome' } };
    const contains = (expected: JsonValue) => passes(stateOf('contains', expected, ''), graph);
    expect(contains({ $partial: { entities: { $contains: ana } } })).toBe(true);
    expect(contains({ $partial: { entities: { $contains: { ...ana, lives: {} } } } })).toBe(true);
    expect(contains({ entities: { $contains: { $partial: ana } } })).toBe(true);
    // Without it, what is inside a member is compared as a whole.
    expect(contains({ entities: { $contains: ana } })).toBe(false);
    expect(contains({ $partial: { entities: { $contains: { name: 'Eve' } } } })).toBe(false);
  });

  it('says what was expected where it fails', () => {
    const reason = (check: TaskCheck) =>
      judgeTask([check], withState(tasks), judge).checks[0]?.reason;
    expect(reason(stateOf('excludes', { title: 'pay rent' }))).toBe(
      'list_tasks at /tasks contains {"title":"pay rent"}, but should not.',
    );
    expect(reason(stateOf('contains', { title: 'Call mom' }))).toBe(
      'list_tasks at /tasks does not contain {"title":"Call mom"}, but should.',
    );
    expect(reason(stateOf('contains', { title: 'pay rent' }))).toBe(
      'list_tasks at /tasks contains {"title":"pay rent"}.',
    );
  });

  it('fails if its pointer leads nowhere, even when it excludes', () => {
    const verdict = judgeTask([stateOf('excludes', { id: 1 }, '/items')], withState(tasks), judge);
    expect(verdict.checks[0]).toMatchObject({
      passed: false,
      reason: 'There is nothing at /items of list_tasks.',
    });
  });

  it('reads text as JSON, else as text, if the result has no structured content', () => {
    const asJson = withState(null, { text: JSON.stringify(tasks) });
    expect(passes(stateOf('contains', { id: 2 }), asJson)).toBe(true);
    const asText = withState(null, { text: 'Buy MILK, pay rent' });
    expect(passes(stateOf('contains', 'milk', ''), asText)).toBe(true);
    expect(passes(stateOf('excludes', 'milk', ''), asText)).toBe(false);
  });

  it('fails if the tool returned an error', () => {
    const failed = withState(null, { isError: true, text: 'no such user' });
    expect(passes(stateOf('matches', { $ignore: true }, ''), failed)).toBe(false);
  });

  it('survives a result that is nested 5,000 levels deep', () => {
    const deep = withState(null, { text: `${'['.repeat(5_000)}${']'.repeat(5_000)}` });
    expect(passes(stateOf('contains', 'x', ''), deep)).toBe(false);
  });

  it('leaves a run unscored if its state was not recorded', () => {
    expect(judgeTask([stateOf('contains', {})], runOf([]), judge)).toMatchObject({
      outcome: 'not_scored',
      succeeded: null,
      checks: [{ passed: null }],
    });
  });
});

describe('an answer check', () => {
  const answer = (expected: JsonValue): TaskCheck => ({ id: 'answer', kind: 'answer', expected });

  it('matches the last message', () => {
    const run = runOf([[callOf('add_task')]], 'It is completed.');
    expect(passes(answer({ $regex: 'done|completed' }), run)).toBe(true);
    expect(passes(answer({ $regex: '^done' }), run)).toBe(false);
    expect(passes(answer({ $regex: '^it IS' }), run)).toBe(false);
    expect(passes(answer({ $regex: '(?i)^it IS' }), run)).toBe(true);
  });

  it('fails without a message', () => {
    expect(passes(answer({ $regex: '.*' }), runOf([], null))).toBe(false);
  });
});

describe('a calls check', () => {
  const calls = (must: string[], ordered = false, never: string[] = []): TaskCheck => ({
    id: 'calls',
    kind: 'calls',
    must,
    ordered,
    never,
  });
  const run = runOf([
    [callOf('list_tasks'), callOf('add_task', { title: 'a' })],
    [callOf('complete_task', { id: 1 })],
  ]);

  it.each<[string, TaskCheck, boolean]>([
    ['other calls in between', calls(['list_tasks', 'complete_task'], true), true],
    ['the wrong order', calls(['complete_task', 'add_task'], true), false],
    ['any order', calls(['complete_task', 'add_task']), true],
    ['a missing call', calls(['delete_task']), false],
    ['a tool that must be called twice', calls(['add_task', 'add_task']), false],
    ['a forbidden call', calls([], false, ['list_tasks']), false],
    ['a tool of a server', calls(['todo:add_task']), true],
    ['the same tool of another server', calls(['notes:add_task']), false],
  ])('judges %s', (_name, check, passed) => {
    expect(passes(check, run)).toBe(passed);
  });

  it('says that the order is wrong if all calls were made', () => {
    expect(
      judgeTask([calls(['complete_task', 'add_task'], true)], run, judge).checks[0]?.reason,
    ).toBe('The calls are not in the required order: complete_task, add_task.');
  });

  it('counts no made-up tool as a call of that name', () => {
    const phantom = runOf([[callOf('add_task', {}, { tool: null, server: null })]]);
    expect(passes(calls(['add_task']), phantom)).toBe(false);
  });
});

describe('judgeTask', () => {
  it.each<[TaskEnd, string, boolean | null]>([
    [{ by: 'answered' }, 'succeeded', true],
    [{ by: 'limit', limit: 'steps' }, 'limit', false],
    [{ by: 'loop', tool: 'todo:list_tasks' }, 'loop', false],
    [{ by: 'refused' }, 'refused', false],
    [{ by: 'no_answer', reason: 'The reply was cut off.' }, 'no_answer', false],
    [{ by: 'infrastructure', stage: 'tool', message: 'The server exited.' }, 'not_scored', null],
  ])('judges a run that ended %j', (end, outcome, succeeded) => {
    const any: TaskCheck = { id: 'a', kind: 'answer', expected: { $ignore: true } };
    const run = runOf([], 'Done.', end);
    expect(judgeTask([any], run, judge)).toMatchObject({ outcome, succeeded });
  });

  it.each<[string, TaskCheck[]]>([
    ['no check', []],
    ['a judge that nobody asked', [{ id: 'j', kind: 'judge', rubric: 'It is done.' }]],
  ])('never scores a run with %s, however it ended', (_name, checks) => {
    const ends: TaskEnd[] = [
      { by: 'answered' },
      { by: 'limit', limit: 'steps' },
      { by: 'loop', tool: 'todo:list_tasks' },
      { by: 'refused' },
      { by: 'no_answer', reason: 'The reply was cut off.' },
    ];
    for (const end of ends) {
      const run = runOf([], 'Done.', end);
      const ruled = judgeTask(checks, run, judge);
      expect(ruled).toMatchObject({ outcome: 'not_scored', succeeded: null });
      // Whatever an advisory judge says: yes, no, or nothing that can be read.
      for (const passed of [true, false, null])
        expect(
          withJudgements(ruled, run, new Map([['j', { passed, reason: 'So.' }]]), false),
        ).toMatchObject({ outcome: 'not_scored', succeeded: null });
    }
  });

  it('is decided by one check, whatever an advisory judge says', () => {
    const checks: TaskCheck[] = [
      { id: 'j', kind: 'judge', rubric: 'It is done.' },
      { id: 'a', kind: 'answer', expected: 'Done.' },
    ];
    const said = new Map([['j', { passed: false, reason: 'No.' }]]);
    const outcome = (answer: string) => {
      const run = runOf([], answer);
      return withJudgements(judgeTask(checks, run, judge), run, said, false).outcome;
    };
    expect([outcome('Done.'), outcome('Later.')]).toEqual(['succeeded', 'check_failed']);
  });

  it('succeeds only if every check passes', () => {
    const check = (id: string, expected: string): TaskCheck => ({ id, kind: 'answer', expected });
    const run = runOf([], 'Done');
    expect(judgeTask([check('a', 'done'), check('b', 'no')], run, judge)).toMatchObject({
      outcome: 'check_failed',
      succeeded: false,
      checks: [
        { id: 'a', passed: true },
        { id: 'b', passed: false },
      ],
    });
  });

  it('never counts an infrastructure error, whatever the checks say', () => {
    const run = runOf([], 'no', { by: 'infrastructure', stage: 'model', message: '500' });
    const check: TaskCheck = { id: 'a', kind: 'answer', expected: 'yes' };
    expect(judgeTask([check], run, judge)).toMatchObject({
      succeeded: null,
      checks: [{ passed: null, reason: 'The run broke off before this could be judged.' }],
    });
  });

  const never = (...names: string[]): TaskCheck => ({
    id: 'calls',
    kind: 'calls',
    must: ['list_tasks'],
    ordered: false,
    never: names,
  });

  it.each<[string, TaskEnd]>([
    ['the server ended', { by: 'infrastructure', stage: 'tool', message: 'It exited.' }],
    ['the provider failed later', { by: 'infrastructure', stage: 'model', message: '500' }],
  ])('fails a run that made a forbidden call before %s', (_what, end) => {
    const sent = callOf('wipe', {}, { answeredBy: 'server_ended' });
    expect(judgeTask([never('wipe')], runOf([[sent]], null, end), judge)).toMatchObject({
      outcome: 'check_failed',
      succeeded: false,
    });
    // A required call that is missing may still have come.
    expect(judgeTask([never('other')], runOf([[sent]], null, end), judge)).toMatchObject({
      outcome: 'not_scored',
      checks: [{ passed: null }],
    });
  });

  it('does not take the part of a call in a reply that was cut off for a call', () => {
    const cut = { ...stepOf([callOf('wipe')]), stopReason: 'cut_off' as const };
    const run = { ...runOf([]), steps: [cut] };
    const end: TaskEnd = { by: 'infrastructure', stage: 'model', message: 'Cut off.' };
    expect(judgeTask([never('wipe')], { ...run, end }, judge).outcome).toBe('not_scored');
  });
});

describe('containsPart', () => {
  it('finds every element and every part of an object', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(
            fc.string().filter((key) => !key.startsWith('$')),
            fc.integer(),
          ),
          {
            minLength: 1,
          },
        ),
        fc.nat(),
        (list, seed) => {
          const element = list[seed % list.length] ?? {};
          const part = Object.fromEntries(Object.entries(element).filter((_, at) => at % 2 === 0));
          return containsPart(element, list, judge) && containsPart(part, list, judge);
        },
      ),
    );
  });
});

describe('LoopGuard', () => {
  const add = (guard: LoopGuard, tool: string, result: string) =>
    guard.add(callOf(tool, { b: 1, a: 2 }), resultOf(result));

  it('reports the third equal call in a row, whatever it returns', () => {
    const guard = new LoopGuard();
    expect([add(guard, 'add', '1'), add(guard, 'add', '2'), add(guard, 'add', '3')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('reports calls that take turns without any new result', () => {
    const guard = new LoopGuard();
    const seen = ['a', 'b', 'a', 'b', 'a'].map((tool) => add(guard, tool, 'same'));
    expect(seen).toEqual([false, false, false, false, true]);
  });

  it('allows a list to be read again after each change', () => {
    const guard = new LoopGuard();
    const seen = [1, 2, 3, 4].flatMap((at) => [
      guard.add(callOf('add_task', { title: at }), resultOf(at)),
      guard.add(callOf('list_tasks'), resultOf(at)),
    ]);
    expect(seen).not.toContain(true);
  });

  it('compares arguments regardless of the order of their names', () => {
    const guard = new LoopGuard();
    const one = { a: 1, b: { c: 2, d: 3 } };
    const other = { b: { d: 3, c: 2 }, a: 1 };
    const seen = [one, other, one].map((args) => guard.add(callOf('x', args), resultOf(null)));
    expect(seen).toEqual([false, false, true]);
  });
});

describe('a check of calls that names no tool', () => {
  const empty: TaskCheck = { id: 'none', kind: 'calls', must: [], ordered: false, never: [] };
  const forbids: TaskCheck = { ...empty, id: 'never', never: ['add_task'] };

  it('leaves a task without another check unscored, also when judges are asked', () => {
    const run = runOf([], 'Done.', { by: 'answered' });
    const verdict = judgeTask([empty], run, judge);
    expect(verdict).toMatchObject({
      outcome: 'not_scored',
      checks: [{ passed: null, advisory: true, reason: expect.stringContaining('names no tool') }],
    });
    expect(withJudgements(verdict, run, new Map(), true)).toEqual(verdict);
  });

  it('changes nothing where another check decides', () => {
    const run = runOf([], 'Done.', { by: 'answered' });
    expect(judgeTask([empty, forbids], run, judge).outcome).toBe('succeeded');
    const called = runOf([[callOf('add_task')]], 'Done.', { by: 'answered' });
    expect(judgeTask([empty, forbids], called, judge).outcome).toBe('check_failed');
  });
});
