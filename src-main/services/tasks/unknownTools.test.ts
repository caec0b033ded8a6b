import { describe, expect, it } from 'vitest';
import type { TaskContent } from '../../../src-shared/domain/task.ts';
import { unknownTools } from './unknownTools.ts';

const listed = (server: string) =>
  server === 'new'
    ? null
    : server === 'todo'
      ? ['add_task', 'list_tasks'].map((name) => ({ server, name }))
      : [];
const calls = (given: object): TaskContent['checks'][number] => ({
  ...{ id: 'calls', kind: 'calls', must: [], ordered: false, never: [] },
  ...given,
});
const state = (server: string, tool: string): TaskContent['checks'][number] => ({
  ...{ id: 'left', kind: 'state', server, tool, arguments: {}, at: '' },
  ...{ test: 'contains', expected: 'milk' },
});
const found = (task: Partial<Pick<TaskContent, 'checks' | 'setup'>>, shown = ['todo']) =>
  unknownTools({ checks: [], setup: [], ...task }, shown, listed);

describe('a tool that no listing has', () => {
  it.each<[string, Partial<TaskContent>, string]>([
    [
      'a required call',
      { checks: [calls({ must: ['add_tsak'] })] },
      "its check calls names add_tsak, which isn't a tool of todo. Did you mean add_task?",
    ],
    [
      'a group',
      { checks: [calls({ must: [['add_task', { tool: 'list_tsaks' }]] })] },
      "its check calls names list_tsaks, which isn't a tool of todo. Did you mean list_tasks?",
    ],
    [
      'a choice, by its server',
      { checks: [calls({ any: ['todu:add_task'] })] },
      "its check calls names todu:add_task, which isn't a tool of todo. Did you mean todo:add_task?",
    ],
    [
      'a forbidden call',
      { checks: [calls({ never: [{ tool: 'wipe', arguments: {} }] })] },
      "its check calls names wipe, which isn't a tool of todo.",
    ],
    [
      'a state check',
      { checks: [state('todo', 'list_tsaks')] },
      "its check left names list_tsaks, which isn't a tool of todo. Did you mean list_tasks?",
    ],
    [
      'the setup',
      { setup: [{ server: 'todo', tool: 'add', arguments: {} }] },
      "its setup names add, which isn't a tool of todo. Did you mean add_task?",
    ],
  ])('is found in %s', (_name, task, problem) => {
    expect(found(task).map(({ message }) => message)).toEqual([problem]);
  });

  it('has its place in the entry of the task', () => {
    const checks = [
      state('todo', 'list_tsaks'),
      calls({ must: ['add_task', ['list_tasks', { tool: 'b' }]], any: ['c'], never: ['d'] }),
    ];
    const setup = [{ server: 'todo', tool: 'a', arguments: {} }];
    expect(found({ checks, setup }).map(({ path }) => path.join('/'))).toEqual([
      ...['setup/0/tool', 'checks/0/state/tool', 'checks/1/calls/must/1/1/tool'],
      ...['checks/1/calls/any/0', 'checks/1/calls/never/0'],
    ]);
  });

  it('is none of a server that was never listed', () => {
    const task = { checks: [calls({ must: ['anything'] }), state('new', 'read')] };
    expect(found(task, ['todo', 'new'])).toEqual([]);
  });
});
