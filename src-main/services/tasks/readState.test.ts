import { afterEach, describe, expect, it } from 'vitest';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { soon } from '../../testing/taskRuns.ts';
import { createTaskService as create, task } from '../../testing/taskService.ts';

afterEach(expectNoLeaks);

const add = { server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'Buy milk' } };
const list = { server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' } };
const options = { signal: soon() };
const agreedServers = ['todo'];

describe('a reading for a check', () => {
  it('plans the setup and the reading tool, on servers of its own', async () => {
    await using at = create([task('one')]);
    expect(await at.service.planReading({ setup: [add, add], read: list })).toEqual({
      mode: 'full',
      servers: ['todo'],
      executes: [
        { server: 'todo', tool: 'add_task', readOnly: false, destructive: true },
        { server: 'todo', tool: 'list_tasks', readOnly: false, destructive: true },
      ],
      unlisted: ['todo'],
      isolated: ['todo'],
      programs: [],
    });
  });

  it('returns what the tool says after the setup, as a check would compare it', async () => {
    await using at = create([task('one')]);
    const reading = { setup: [add], read: list, agreedServers };
    const { value, isError } = await at.service.readState(reading, options);
    expect(isError).toBe(false);
    expect(valueAtPointer(value, '/tasks/0/title')).toBe('Buy milk');
    // A second one starts from nothing again: it worked on a copy that is gone.
    const again = await at.service.readState(reading, options);
    expect(valueAtPointer(again.value, '/count')).toBe(1);
  });

  it('executes nothing without the agreement of the person', async () => {
    let executed = 0;
    await using at = create([task('one')], undefined, { onCall: () => (executed += 1) });
    const reading = { setup: [], read: list, agreedServers: ['another'] };
    await expect(at.service.readState(reading, options)).rejects.toMatchObject({
      code: 'INVALID',
      data: { field: 'agreedServers', cause: expect.stringContaining('list_tasks on todo') },
    });
    expect(executed).toBe(0);
  });

  it.each([
    ['a server that ends at its start', { ...list, server: 'broken' }, []],
    ['a setup call that fails', list, [{ ...add, arguments: { title: 7 } }]],
  ])('says why there is none with %s', async (_, read, setup) => {
    await using at = create([task('one')]);
    const agreed = { setup, read, agreedServers: ['todo', 'broken'] };
    await expect(at.service.readState(agreed, options)).rejects.toMatchObject({
      code: 'TROUBLE',
    });
  });

  it('names a server that is not registered', async () => {
    await using at = create([task('one')]);
    const read = { ...list, server: 'gone' };
    await expect(
      at.service.readState({ setup: [], read, agreedServers: ['gone'] }, options),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', data: { thing: 'Server gone' } });
  });

  it('hands on an error that the tool answers, which no check passes', async () => {
    await using at = create([task('one')]);
    const read = { ...list, tool: 'delete_task', arguments: { user_id: 'u-1', task_id: 99 } };
    expect(await at.service.readState({ setup: [], read, agreedServers }, options)).toMatchObject({
      isError: true,
    });
  });
});

describe('a check whose own arguments its tool refuses', () => {
  it.each([
    ['a required one is missing', {}, 'user_id is missing'],
    ['one is misspelled', { user_id: 'u-1', stauts: 'open' }, 'it has no parameter stauts'],
    ['one has another type', { user_id: 7 }, '/user_id must be string'],
    ['one is an object', { user_id: { $contains: 'u' } }, '/user_id must be string'],
  ])('leaves the run unscored if %s', async (_, args, reason) => {
    const check = {
      ...{ id: 'left', kind: 'state' as const, server: 'todo', tool: 'list_tasks', at: '' },
      ...{ arguments: args, test: 'contains' as const, expected: 'milk' },
    };
    await using at = create([task('one', { checks: [check] })]);
    const id = await at.start();
    await at.drain(id);
    const [run] = await at.runs(id);
    expect(run).toMatchObject({ outcome: 'not_scored' });
    const { trajectory } = await at.service.run({ id, runId: run?.runId ?? '' });
    expect(trajectory?.end).toMatchObject({
      ...{ by: 'infrastructure', stage: 'state' },
      message: `list_tasks refuses the arguments of the check left: ${reason}. Correct the check.`,
    });
  });

  it.each(['end_state', 'unchanged'] as const)('leaves a run with %s unscored', async (kind) => {
    const check = { id: 'left', kind, ...list, arguments: {}, at: '', ignore: [] };
    const solution = kind === 'end_state' ? { solution: [add] } : {};
    await using at = create([task('one', { checks: [check], ...solution })]);
    const id = await at.start();
    await at.drain(id);
    expect(await at.runs(id)).toMatchObject([
      {
        outcome: 'not_scored',
        reason: expect.stringContaining('the check left: user_id is missing. Correct the check.'),
      },
    ]);
  });

  it('fails a run where the same tool refuses because of what the model left', async () => {
    const check = {
      ...{ id: 'left', kind: 'state' as const, server: 'todo', tool: 'delete_task', at: '' },
      ...{
        arguments: { user_id: 'u-1', task_id: 99 },
        test: 'contains' as const,
        expected: 'milk',
      },
    };
    await using at = create([task('one', { checks: [check] })]);
    const id = await at.start();
    await at.drain(id);
    expect(await at.runs(id)).toMatchObject([{ outcome: 'check_failed' }]);
  });
});
