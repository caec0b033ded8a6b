import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckResult, TaskOutcome } from '../domain/task.ts';
import { proportion } from './intervals.ts';
import { type GroupedRun, type GroupedTask, groupTasks } from './taskGroups.ts';

const task = (key: string, more: Partial<GroupedTask> = {}): GroupedTask => ({
  ...{ key, name: `Task ${key}`, tags: [], servers: ['todo'] },
  ...more,
});
let runs = 0;
const run = (
  taskKey: string,
  outcome: TaskOutcome | null,
  checks: Readonly<Record<string, boolean | null>> = {},
): GroupedRun => ({
  runId: `run-${(runs += 1)}`,
  taskKey,
  outcome,
  checks: Object.entries(checks).map(([id, passed]): CheckResult => ({
    ...{ id, passed, reason: '' },
    kind: id === 'said' ? 'answer' : 'state',
  })),
});
const causeOf = ({ outcome }: GroupedRun) => outcome ?? '';
const group = (all: readonly GroupedRun[], tasks: readonly GroupedTask[]) =>
  groupTasks(all, tasks, causeOf);

describe('groupTasks', () => {
  it('counts successes, failed checks and equal failures of each task, in the order of the suite', () => {
    const [b, a, ...more] = group(
      [
        run('b', 'succeeded', { said: true, stored: true }),
        run('b', 'check_failed', { said: true, stored: false }),
        run('b', 'check_failed', { said: false, stored: false }),
        run('b', 'limit'),
        run('b', 'not_scored', { stored: null }),
        run('b', null),
        run('a', 'succeeded', { said: true }),
      ],
      [task('b'), task('a')],
    );
    expect(b).toMatchObject({
      ...{ by: 'task', name: 'Task b', keys: ['b'], scored: 4, succeeded: 1, notScored: 1 },
      checks: [
        { check: 'stored', passed: 1, failed: 2, unjudged: 1 },
        { check: 'said', passed: 2, failed: 1, unjudged: 0 },
      ],
      failures: [
        { cause: 'check_failed', runs: 2 },
        { cause: 'limit', runs: 1 },
        { cause: 'not_scored', runs: 1 },
      ],
    });
    // Wilson's interval of 1 of 4: (0.25 + 0.48014 ± 1.96·√(0.046875 + 0.0600228))/1.960288.
    expect(b?.success).toEqual(proportion(1, 4));
    expect(b?.success.low).toBeCloseTo(0.0456, 3);
    expect(b?.success.high).toBeCloseTo(0.6994, 3);
    expect(a).toMatchObject({ name: 'Task a', succeeded: 1, failures: [] });
    expect(more).toEqual([]);
  });

  it('puts tasks together by tag, server and difficulty, and counts their checks by kind', () => {
    const tasks = [
      task('a', { tags: ['easy', 'basic'] }),
      task('b', { tags: ['difficulty:very hard'], servers: ['todo', 'mail'] }),
    ];
    const groups = group(
      [run('a', 'succeeded', { one: true }), run('b', 'check_failed', { two: false })],
      tasks,
    );
    expect(groups.map(({ by, name, keys }) => [by, name, ...keys])).toEqual([
      ['task', 'Task a', 'a'],
      ['task', 'Task b', 'b'],
      ['tag', 'basic', 'a'],
      ['server', 'mail', 'b'],
      ['server', 'todo', 'a', 'b'],
      ['difficulty', 'easy', 'a'],
      ['difficulty', 'very hard', 'b'],
    ]);
    // Tags of difficulties are no other groups.
    expect(groups.at(-1)?.checks).toEqual([{ check: 'state', passed: 0, failed: 1, unjudged: 0 }]);
  });

  it('leaves out a grouping that says what all tasks together say', () => {
    const tasks = [task('a', { tags: ['all'] }), task('b', { tags: ['all'] })];
    expect(new Set(group([], tasks).map(({ by }) => by))).toEqual(new Set(['task']));
  });

  it('gives no interval to fewer than five tasks together, whatever their repetitions are', () => {
    const tagged = (many: number) =>
      Array.from({ length: many + 1 }, (_, at) => task(`${at}`, { tags: at < many ? ['x'] : [] }));
    const of = (many: number) =>
      group(
        tagged(many).flatMap(({ key }) => [run(key, 'succeeded'), run(key, 'limit')]),
        tagged(many),
      ).find(({ by }) => by === 'tag')?.success;
    expect(of(4)).toMatchObject({ value: 0.5, low: null, n: 8 });
    expect(of(5)?.low).toBeGreaterThan(0);
  });

  it('counts every run once for its task and once for each of its tags', () => {
    const outcomes = fc.constantFrom<TaskOutcome | null>('succeeded', 'limit', 'not_scored', null);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), outcomes), { maxLength: 40 }), (played) => {
        const tasks = Array.from({ length: 5 }, (_, at) =>
          task(`${at}`, { tags: at % 2 ? ['odd'] : ['even', 'low'] }),
        );
        const all = played.map(([at, outcome]) => run(`${at}`, outcome));
        const scored = all.filter(({ outcome }) => outcome === 'succeeded' || outcome === 'limit');
        const groups = group(all, tasks);
        const sum = (names: readonly string[]) =>
          groups
            .filter(({ by, name }) => names.includes(by === 'task' ? by : name))
            .reduce((total, one) => total + one.scored, 0);
        expect(sum(['task'])).toBe(scored.length);
        expect(sum(['odd', 'even'])).toBe(scored.length);
      }),
    );
  });
});
