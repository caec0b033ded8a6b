import { expect, it } from 'vitest';
import { summarizeReliability } from '../../../src-shared/metrics/reliability.ts';
import type { ChatInput } from '../../adapters/llm/chatModel.ts';
import { called, calls, says, scripted, type Reply } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';

const user = { user_id: 'u-1' };
const add = called('add_task', { ...user, title: 'Milk' });
/** Adds, adds again and lists, deletes what isn't there, and answers, in each run. */
const reply = (input: ChatInput): Reply => {
  const last = input.by === 'user' ? '' : input.results.map(({ id }) => id).join(' ');
  if (last === '') return calls(add);
  if (last === 'call_add_task') return calls(add, called('list_tasks', user));
  if (last.includes('list_tasks')) return calls(called('delete_task', { ...user, task_id: 99 }));
  return says('Done.');
};

it('counts the calls that servers got, without stubs, replays, faults and deleted results', async () => {
  const faulty = task('a', { faults: [{ server: 'todo', tool: 'add_task', fault: 'error' }] });
  await using at = createTaskService([faulty, task('b')], () => scripted(reply).model);
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
