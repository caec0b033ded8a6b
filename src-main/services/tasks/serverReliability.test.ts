import { expect, it } from 'vitest';
import { summarizeReliability } from '../../../src-shared/metrics/reliability.ts';
import { called, calls, says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';

const user = { user_id: 'u-1' };
const add = called('add_task', { ...user, title: 'Milk' });
const replies = [
  calls(add),
  calls(add, called('list_tasks', user)),
  calls(called('delete_task', { ...user, task_id: 99 })),
  says('Done.'),
];

it('counts the calls that servers got, without stubs, replays, faults and deleted results', async () => {
  const faulty = task('a', { faults: [{ server: 'todo', tool: 'add_task', fault: 'error' }] });
  await using at = createTaskService([faulty, task('b')], () => scripted([...replies]).model);
  const read = () => {
    const { calls: sent, evaluations } = at.store.sentCalls.ofServer('todo');
    return summarizeReliability(sent, evaluations);
  };
  expect(read()).toEqual({ evaluations: 0, runs: 0, tools: [] });
  await at.drain(await at.start({}));
  expect(read().tools).toEqual([]);

  const id = await at.start();
  await at.drain(id);
  const { evaluations, runs, tools } = read();
  expect([evaluations, runs]).toEqual([1, 2]);
  // The first call of add_task of task a met a fault on purpose.
  expect(tools.map(({ tool, calls: sent, errors }) => [tool, sent, errors])).toEqual([
    ['delete_task', 2, 2],
    ['add_task', 3, 0],
    ['list_tasks', 2, 0],
  ]);
  expect(
    tools.every(({ p50Ms, p99Ms }) => p50Ms !== null && p99Ms !== null && p50Ms <= p99Ms),
  ).toBe(true);
  expect(at.store.sentCalls.ofServer('stuck').calls).toEqual([]);

  await at.service.remove({ id });
  expect(read().tools).toEqual([]);
});
