import { describe, expect, it } from 'vitest';
import { taskCheck, type CallsCheck, type Trajectory } from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../ajvJudge.ts';
import { judgeCalls } from './callsCheck.ts';
import { callOf, runOf } from './trajectory.fixture.ts';

const judge = new AjvJudge();
const checkOf = (given: Partial<CallsCheck>): CallsCheck =>
  taskCheck.parse({
    ...{ id: 'calls', kind: 'calls', must: [], ordered: false, never: [] },
    ...given,
  }) as CallsCheck;
const judged = (given: Partial<CallsCheck>, run = played) => judgeCalls(checkOf(given), run, judge);

const add = (title: string) => callOf('add_task', { title, user_id: 'u-1' });
const played = runOf([
  [callOf('list_tasks'), add('Buy milk')],
  [add('Pay rent')],
  [callOf('tag_task', { id: 2 }), callOf('complete_task', { id: 2 })],
]);

describe('the arguments of an entry', () => {
  it.each<[string, Partial<CallsCheck>, boolean]>([
    ['a named argument', { must: [{ tool: 'add_task', arguments: { title: 'buy milk' } }] }, true],
    ['a matcher', { must: [{ tool: 'add_task', arguments: { title: { $regex: '^Buy' } } }] }, true],
    ['another value', { must: [{ tool: 'add_task', arguments: { title: 'Call mom' } }] }, false],
    ['a missing one', { must: [{ tool: 'list_tasks', arguments: { user_id: 'u-1' } }] }, false],
    [
      'one that must be absent',
      { must: [{ tool: 'list_tasks', arguments: { user_id: { $absent: true } } }] },
      true,
    ],
    [
      'a call that is forbidden with them',
      { never: [{ tool: 'complete_task', arguments: { id: 2 } }] },
      false,
    ],
    [
      'a call that is allowed with others',
      { never: [{ tool: 'complete_task', arguments: { id: 1 } }] },
      true,
    ],
  ])('compare %s', (_name, check, passed) => {
    expect(judged(check).passed).toBe(passed);
  });

  it('are said with the difference of the call that was made', () => {
    expect(judged({ must: [{ tool: 'complete_task', arguments: { id: 1 } }] }).reason).toBe(
      'The model did not call “complete_task(id: 1)”. Its call differs: id: expected 1, got 2.',
    );
  });

  it('match no call whose arguments are unreadable', () => {
    const run = runOf([[callOf('add_task', {}, { arguments: null })]]);
    const check = { must: [{ tool: 'add_task', arguments: { title: { $absent: true } } }] };
    expect(judged(check, run)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('unreadable') as string,
    });
  });

  it('give each entry a call of its own, also where an earlier entry takes any', () => {
    const milk = { tool: 'add_task', arguments: { title: 'Buy milk' } };
    // The first call alone fits both entries, so the plain one must take the second.
    expect(judged({ must: ['add_task', milk] }).passed).toBe(true);
    expect(judged({ must: ['add_task', milk, milk] }).passed).toBe(false);
  });
});

describe('the count of an entry', () => {
  const twice = { tool: 'add_task', at_least: 2 };
  it.each<[string, Partial<CallsCheck>, boolean]>([
    ['at least as many', { must: [twice] }, true],
    ['too few', { must: [{ tool: 'add_task', at_least: 3 }] }, false],
    ['at most as many', { must: [{ tool: 'add_task', at_most: 2 }] }, true],
    ['too many', { must: [{ tool: 'add_task', at_most: 1 }] }, false],
    ['none, where none is needed', { must: [{ tool: 'wipe', at_least: 0, at_most: 1 }] }, true],
    ['one of a choice', { any: ['wipe', twice] }, true],
    ['none of a choice', { any: ['wipe', { tool: 'add_task', at_least: 3 }] }, false],
    ['too many of a choice', { any: [{ tool: 'add_task', at_most: 1 }] }, false],
  ])('allows %s', (_name, check, passed) => {
    expect(judged(check).passed).toBe(passed);
  });

  it('fails a run that broke off after too many calls, and leaves other runs undecided', () => {
    const end = { by: 'infrastructure', stage: 'model', message: '500' } as const;
    const broken = { ...played, end };
    expect(judged({ must: [{ tool: 'add_task', at_most: 1 }] }, broken).passed).toBe(false);
    expect(judged({ must: [{ tool: 'add_task', at_least: 3 }] }, broken).passed).toBeNull();
    expect(judged({ any: ['wipe'] }, broken).passed).toBeNull();
  });

  it('says how often a tool was called and how often it may be', () => {
    expect(judged({ must: [{ tool: 'add_task', at_most: 1 }] }).reason).toBe(
      'The model called “add_task” 2 times, and the check allows 1.',
    );
    expect(judged({ must: [{ tool: 'add_task', at_least: 3 }] }).reason).toBe(
      'The model did not call “add_task” often enough.',
    );
  });

  it('is refused where no number is right', () => {
    expect(() => checkOf({ must: [{ tool: 'a', at_least: 3, at_most: 2 }] })).toThrow(
      'no number of calls is right',
    );
  });
});

describe('a group of entries', () => {
  const inOrder = (...must: CallsCheck['must']) => judged({ must, ordered: true });

  it.each<[string, CallsCheck['must'], boolean]>([
    ['in any order', ['list_tasks', ['complete_task', 'tag_task']], true],
    ['before what follows', [['tag_task', 'add_task'], 'complete_task'], true],
    ['after what comes before', ['tag_task', ['list_tasks', 'complete_task']], false],
    ['with the number of its calls', [[{ tool: 'add_task', at_least: 2 }], 'tag_task'], true],
    ['with too few left for it', ['tag_task', [{ tool: 'add_task', at_least: 2 }]], false],
  ])('is matched %s', (_name, must, passed) => {
    expect(inOrder(...must).passed).toBe(passed);
  });

  it('is named in brackets where the order is wrong', () => {
    expect(inOrder('tag_task', ['list_tasks', 'complete_task']).reason).toBe(
      'The calls are not in the required order: tag_task, (list_tasks, complete_task).',
    );
  });
});

it('decides nothing without an entry', () => {
  expect(judged({})).toMatchObject({ passed: null, advisory: true });
});

it('finds room for 1,000 calls among 10,000 in a moment', () => {
  const many = runOf([Array.from({ length: 10_000 }, (_, at) => add(`Task ${at}`))]);
  const check = {
    must: [
      { tool: 'add_task', at_least: 1_000 },
      { tool: 'add_task', arguments: { title: 'Task 0' } },
    ],
  };
  expect(judged(check, many).passed).toBe(true);
});

describe('the calls of all tools', () => {
  it.each<[string, Partial<CallsCheck>, boolean]>([
    ['at most as many as there are', { total: { at_most: 5 } }, true],
    ['at most fewer', { total: { at_most: 4 } }, false],
    ['at least as many as there are', { total: { at_least: 5 } }, true],
    ['at least more', { total: { at_least: 6 } }, false],
    ['no repetition', { repeats: false }, true],
  ])('are counted: %s', (_what, check, passed) => {
    expect(judged(check).passed).toBe(passed);
  });

  it('may be forbidden to repeat, with the same arguments only', () => {
    const again = runOf([[add('Buy milk')], [add('Pay rent'), add('Buy milk')]]);
    expect(judged({ repeats: false }, again)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('again with the same arguments') as string,
    });
  });

  it('have nothing to do with a made-up tool', () => {
    const madeUp = { ...callOf('fly'), tool: null, server: null };
    expect(judged({ total: { at_most: 0 } }, runOf([[madeUp]])).passed).toBe(true);
  });

  it('are undecided in a run that broke off, unless there are too many already', () => {
    const end = { by: 'infrastructure' as const, stage: 'model' as const, message: 'Away.' };
    const broken = { ...runOf([[callOf('list_tasks')]]), end };
    expect(judged({ total: { at_least: 2 } }, broken).passed).toBeNull();
    expect(judged({ total: { at_most: 0 } }, broken).passed).toBe(false);
  });
});

describe('tools of an agent’s own', () => {
  const runWith = (ownTools: Trajectory['steps'][number]['ownTools'], before = ownTools) => {
    const run = runOf([[callOf('list_tasks')]]);
    const steps = run.steps.map((step, at) => ({
      ...step,
      ownTools: at === 0 ? before : ownTools,
    }));
    return { ...run, steps };
  };
  const check = { neverOwn: ['Bash', 'edit'] };

  it.each([
    ['by name', { name: 'Bash' }, 'Bash'],
    ['by kind', { name: 'Write', kind: 'edit' }, 'edit'],
  ])('fail a run that used a forbidden one %s', (_how, call, name) => {
    expect(judged(check, runWith([{ name: 'Read', kind: 'read' }, call], null))).toMatchObject({
      passed: false,
      reason: `The agent must not use its own tool “${name}”, and it reported a call of it.`,
    });
  });

  it('may be used when they are not forbidden, whatever tools of servers are called', () => {
    expect(judged(check, runWith([{ name: 'Read', kind: 'read' }])).passed).toBe(true);
    expect(judged({ neverOwn: ['list_tasks'] }, runWith([])).passed).toBe(true);
    expect(judged({ never: ['Bash'] }, runWith([{ name: 'Bash' }])).passed).toBe(true);
  });

  it('decide nothing of a model, which has none', () => {
    expect(judged(check).passed).toBe(true);
  });

  it('leave the check undecided where the agent reported nothing, unless something else fails', () => {
    expect(judged(check, runWith(null))).toMatchObject({
      passed: null,
      reason: expect.stringContaining('The agent reported nothing about its own tools') as string,
    });
    expect(judged({ ...check, must: ['add_task', 'fly'] }, runWith(null)).passed).toBe(false);
  });
});
