import { describe, expect, it } from 'vitest';
import type { TaskCheck } from '../../../src-shared/domain/task.ts';
import type { MadeCall } from '../../../src-shared/domain/taskTools.ts';
import { findFirstWrongStep, knownSteps, stepsOfReference, toolsOfRun } from './toolUse.ts';

const call = (tool: string, more: Partial<MadeCall> = {}): MadeCall => ({
  server: 'todo',
  tool,
  name: tool,
  given: '{}',
  answeredBy: 'executed',
  isError: false,
  durationMs: 10,
  ...more,
});
const sent = (calls: number) => ({ sent: calls, unanswered: 0, crashes: 0, timeMs: 10 * calls });
const reading = new Set(['todo:list_tasks', 'todo:search_tasks']);
const idOf = (name: string) => `todo:${name}`;

/** Steps by the names of their tools; an empty list is an answer. */
const wrongStep = (steps: string[][], expected: string[], never: string[] = []) =>
  findFirstWrongStep(
    steps.map((names) => names.map((name) => call(name))),
    { expected, never, by: 'check', isReadOnly: (tool) => reading.has(tool), idOf },
  );

const calls = (must: string[], ordered: boolean, never: string[] = []): TaskCheck => ({
  id: 'calls',
  kind: 'calls',
  must,
  ordered,
  never,
});

describe('knownSteps', () => {
  it('knows the order of ordered checks and of a single required call', () => {
    expect(knownSteps([calls(['a', 'b'], true)])?.expected).toEqual(['a', 'b']);
    expect(knownSteps([calls(['a'], false)])?.expected).toEqual(['a']);
    expect(knownSteps([calls(['a', 'b'], false)])).toBeNull();
  });

  it('knows forbidden tools without any order', () => {
    expect(knownSteps([calls([], false, ['x'])])).toEqual({ expected: [], never: ['x'] });
  });
});

describe('findFirstWrongStep', () => {
  it('returns null for a run that follows the order with calls in between', () => {
    expect(
      wrongStep(
        [['add_task'], ['list_tasks'], ['complete_task'], []],
        ['add_task', 'complete_task'],
      ),
    ).toBeNull();
  });

  it('names the tool that was called in place of the expected one', () => {
    expect(wrongStep([['add_task'], ['update_task'], []], ['add_task', 'complete_task'])).toEqual({
      step: 1,
      expected: 'todo:complete_task',
      called: 'todo:update_task',
      by: 'check',
    });
  });

  it('finds the wrong call among parallel calls of one step', () => {
    expect(
      wrongStep([['add_task', 'delete_task'], []], ['add_task', 'complete_task']),
    ).toMatchObject({ step: 0, called: 'todo:delete_task' });
  });

  it('takes a look-up before a change for no error', () => {
    expect(wrongStep([['list_tasks'], ['update_task'], []], ['complete_task'])).toMatchObject({
      step: 1,
      called: 'todo:update_task',
    });
    expect(wrongStep([['list_tasks'], []], ['complete_task'])).toMatchObject({
      step: 1,
      called: null,
    });
  });

  it('compares read-only tools where a read-only tool is expected', () => {
    expect(wrongStep([['list_tasks'], []], ['search_tasks'])).toMatchObject({
      step: 0,
      called: 'todo:list_tasks',
    });
  });

  it('says that no tool was called in the last answer before the next needed tool', () => {
    expect(
      wrongStep(
        [['add_task'], [], [], ['delete_task'], []],
        ['add_task', 'complete_task', 'delete_task'],
      ),
    ).toMatchObject({ step: 2, expected: 'todo:complete_task', called: null });
  });

  it('marks the call before which a needed tool was left out, where the model answered nothing between', () => {
    expect(wrongStep([['delete_task'], []], ['complete_task', 'delete_task'])).toMatchObject({
      step: 0,
      expected: 'todo:complete_task',
      called: null,
    });
    expect(
      wrongStep(
        [[], ['add_task'], ['delete_task'], []],
        ['add_task', 'complete_task', 'delete_task'],
      ),
    ).toMatchObject({ step: 2, expected: 'todo:complete_task', called: null });
  });

  it('marks a forbidden call, with the tool that it replaced', () => {
    expect(wrongStep([['delete_task'], []], ['complete_task'], ['delete_task'])).toMatchObject({
      step: 0,
      expected: 'todo:complete_task',
      called: 'todo:delete_task',
    });
    expect(
      wrongStep([['delete_task'], ['complete_task'], []], ['complete_task'], ['delete_task']),
    ).toMatchObject({ step: 0, expected: null, called: 'todo:delete_task' });
  });

  it('names a tool that was not offered as the model called it', () => {
    const steps = [[call('finish', { server: null, tool: null })], []];
    const known = { never: [], by: 'check' as const, isReadOnly: () => null, idOf };
    expect(findFirstWrongStep(steps, { expected: ['complete_task'], ...known })).toMatchObject({
      step: 0,
      called: 'finish',
    });
  });

  it('marks the first step of a run without any', () => {
    expect(wrongStep([], ['add_task'])).toMatchObject({ step: 0, called: null });
  });
});

describe('stepsOfReference', () => {
  it('leaves out errors and calls that repeat the one before', () => {
    const steps = [[call('add_task', { isError: true }), call('add_task')], [call('add_task')], []];
    expect(stepsOfReference([...steps, [call('list_tasks')]])).toEqual([
      'todo:add_task',
      'todo:list_tasks',
    ]);
  });
});

describe('toolsOfRun', () => {
  it('counts calls and errors, and lists needed tools that were never called', () => {
    const steps = [[call('add_task', { isError: true }), call('add_task')], []];
    expect(toolsOfRun([calls(['add_task', 'complete_task'], true)], steps, idOf)).toEqual([
      { tool: 'todo:add_task', needed: true, calls: 2, errors: 1, ...sent(2) },
      { tool: 'todo:complete_task', needed: true, calls: 0, errors: 0, ...sent(0) },
    ]);
  });

  it('counts what became of calls at their server', () => {
    const failed = { isError: true };
    const steps = [
      [
        call('wipe'),
        call('wipe', { answeredBy: 'no_answer', durationMs: 8_000, ...failed }),
        call('wipe', { answeredBy: 'server_ended', durationMs: 40, ...failed }),
        call('wipe', { answeredBy: 'not_sent', durationMs: 0, ...failed }),
        call('wipe', { answeredBy: 'run_ended', durationMs: 0 }),
        call('wipe', { answeredBy: 'over_limit', durationMs: 0 }),
      ],
    ];
    expect(toolsOfRun([], steps, idOf)).toEqual([
      {
        tool: 'todo:wipe',
        needed: false,
        calls: 6,
        errors: 3,
        sent: 3,
        unanswered: 2,
        crashes: 1,
        timeMs: 8_050,
      },
    ]);
  });
});
