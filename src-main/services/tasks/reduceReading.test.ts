import { describe, expect, it } from 'vitest';
import type { ReadingCheck, StateCheck } from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { judgeTask } from '../../scoring/tasks/judgeTask.ts';
import { resultOf, runOf } from '../../scoring/tasks/trajectory.fixture.ts';
import { maxKeptReading, reduceReading } from './reduceReading.ts';

const judge = new AjvJudge();
const tool = { id: 'read', server: 's', tool: 'dump', arguments: {} };
const state: StateCheck = {
  ...{ kind: 'state', ...tool, at: '/list/2', test: 'matches', expected: { id: 2 } },
};
const unchanged: ReadingCheck = { kind: 'unchanged', ...tool, at: '' };

const value = (text = 'x'.repeat(maxKeptReading), id = 2) => ({
  list: [{ id: 0 }, { id: 1 }, { id }],
  text,
});
const kept = (check: StateCheck | ReadingCheck, whole: unknown = value()) =>
  reduceReading(check, JSON.stringify(whole), judge);
const judged = (
  check: StateCheck | ReadingCheck,
  after: ReturnType<typeof kept>,
  before?: ReturnType<typeof kept>,
) =>
  judgeTask(
    [check],
    {
      ...runOf([], 'Done.', { by: 'answered' }, { read: after }),
      ...(before && { references: { read: before } }),
    },
    judge,
  ).checks[0];

describe('what is kept of a reading that is too long', () => {
  it.each<[string, StateCheck, boolean | null]>([
    ['the same check', state, true],
    ['another value at the same pointer', { ...state, expected: { id: 3 } }, false],
    ['a pointer into what is kept', { ...state, at: '/list/2/id', expected: 2 }, true],
    ['another pointer', { ...state, at: '/list/1', expected: { id: 1 } }, null],
    ['a pointer around it', { ...state, at: '/list' }, null],
    ['a pointer that begins with the same letters', { ...state, at: '/list/22' }, null],
  ])('decides about %s, or about nothing', (_, check, passed) => {
    expect(judged(check, kept(state))).toMatchObject({
      passed,
      ...(passed === null && { reason: expect.stringContaining('Run the task again') as string }),
    });
  });

  it('keeps what a check said about a part that is too long, and nothing for another check', () => {
    const long: StateCheck = { ...state, at: '/text', test: 'contains', expected: 'xxx' };
    const read = kept(long);
    expect(JSON.stringify(read).length).toBeLessThan(500);
    expect(judged(long, read)).toMatchObject({ passed: true });
    expect(judged({ ...long, expected: 'y' }, read)).toMatchObject({ passed: null });
  });

  it('is compared with a short reading, because the part decides and not the length', () => {
    const short = resultOf(value(''));
    expect(judged(unchanged, kept(unchanged), short)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('it differs at /text.') as string,
    });
    // The part is as long as in the longer reading, which has more around it.
    const at: ReadingCheck = { ...unchanged, at: '/list' };
    const more = kept(at, { ...value(), more: 1 });
    expect(judged(at, more, resultOf(value('')))).toMatchObject({ passed: true });
    expect(judged(at, more, resultOf(value('', 3)))).toMatchObject({ passed: false });
    const whole = resultOf({ text: value().text });
    const text: ReadingCheck = { ...unchanged, at: '/text' };
    expect(judged(text, kept(text), whole)).toMatchObject({ passed: true });
  });

  it('fails where nothing is left, and decides nothing where nothing was', () => {
    const at: ReadingCheck = { ...unchanged, at: '/text' };
    const gone = kept(at, { list: value().text });
    expect(judged(at, gone, kept(at))).toMatchObject({
      passed: false,
      reason: expect.stringContaining('there is nothing') as string,
    });
    expect(judged(at, kept(at), gone)).toMatchObject({ passed: null });
  });

  it('decides nothing about other members to ignore', () => {
    const read = kept(unchanged);
    expect(judged({ ...unchanged, ignore: ['id'] }, read, read)).toMatchObject({ passed: null });
  });

  it('refuses a part that is nested too deep to be compared', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 300; level += 1) deep = [deep];
    expect(() => kept({ ...state, at: '/deep' }, { ...value(), deep })).toThrow(
      'The result of dump is nested deeper than 256 levels.',
    );
    expect(judged(state, kept(state, { ...value(), deep }))).toMatchObject({ passed: true });
  });
});
