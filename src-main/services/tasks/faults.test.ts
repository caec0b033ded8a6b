import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  defaultTaskLimits,
  type TaskCheck,
  type TaskStub,
} from '../../../src-shared/domain/task.ts';
import type { FaultKind, TaskFault } from '../../../src-shared/domain/taskFaults.ts';
import { summarizeTasks } from '../../../src-shared/metrics/taskSummary.ts';
import { faultsMet, trajectoryFacts } from '../../scoring/tasks/trajectoryFacts.ts';
import { judgeCalls } from '../../scoring/tasks/callsCheck.ts';
import { toolsOfRun } from '../../scoring/tasks/toolUse.ts';
import {
  called,
  calls,
  environmentParts,
  says,
  scripted,
  soon,
  taskRun,
  todoServer,
  type Reply,
} from '../../testing/taskRuns.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { openEnvironment } from './taskEnvironment.ts';
import { runTask, type TaskRun } from './runTask.ts';

afterEach(() => void vi.useRealTimers());

const add = { server: 'todo', tool: 'add_task' };
const list = { server: 'todo', tool: 'list_tasks' };
const fault = (kind: FaultKind, more: Partial<TaskFault> = {}): TaskFault => ({
  ...list,
  fault: kind,
  ...more,
});
const play = async (script: Parameters<typeof scripted>[0], change: Partial<TaskRun>) => {
  const { model, inputs } = scripted(script);
  return { run: await runTask(taskRun(change), model, soon()), inputs };
};
const stub = (result: TaskStub['result']): TaskStub => ({ ...list, result, isError: false });
const results = (run: Awaited<ReturnType<typeof play>>['run']) =>
  run.steps.flatMap((step) => step.calls.map(({ result }) => result));

describe('a fault on purpose', () => {
  it('fails the first call of its tool and no other, and is marked in the trajectory', async () => {
    const { run, inputs } = await play(
      [calls(called('list_tasks'), called('add_task')), calls(called('list_tasks')), says('Done.')],
      { stubs: [stub({ tasks: [] })], faults: [fault('error')] },
    );
    expect(run.end).toEqual({ by: 'answered' });
    expect(
      run.steps.flatMap((step) => step.calls.map((call) => [call.answeredBy, call.fault])),
    ).toEqual([
      ['fault', 'error'],
      ['not_executed', undefined],
      ['stubbed', undefined],
    ]);
    expect(inputs[1]).toMatchObject({
      results: [
        { isError: true, text: 'Internal error. The request was not processed. Try again.' },
        { isError: false },
      ],
    });
  });

  it.each([
    [
      'rate_limit',
      undefined,
      'Error 429: too many requests. The request was not processed. Try again in a moment.',
    ],
    ['rate_limit', 'Slow down.', 'Slow down.'],
    ['error', 'The database is locked.', 'The database is locked.'],
  ] as const)(
    'says what the task says or a text of its kind: %s, %s',
    async (kind, message, text) => {
      const faults = [fault(kind, message === undefined ? {} : { message })];
      const { run } = await play([calls(called('list_tasks')), says('Sorry.')], { faults });
      expect(results(run)).toMatchObject([{ isError: true, text }]);
    },
  );

  it('hits as many calls as it says, and the next fault of the tool those after them', async () => {
    const script = [1, 2, 3, 4].map((page) => calls(called('list_tasks', { page })));
    const { run } = await play([...script, says('Done.')], {
      faults: [fault('error', { calls: 2 }), fault('rate_limit')],
    });
    expect(run.steps.flatMap((step) => step.calls.map((call) => call.fault))).toEqual([
      'error',
      'error',
      'rate_limit',
      undefined,
    ]);
  });

  it('is no loop for a model that tries again with the same arguments', async () => {
    const script = [0, 1, 2].map(() => calls(called('list_tasks')));
    const faults = [fault('error', { calls: 3 })];
    const again = await play([...script, says('It is down.')], { faults });
    expect(again.run.end).toEqual({ by: 'answered' });
    const without = await play([...script, says('It is down.')], {});
    expect(without.run.end).toEqual({ by: 'loop', tool: 'todo:list_tasks' });
  });

  it.each<[FaultKind, TaskStub['result'], unknown, string]>([
    ['empty', { tasks: [{ id: 1 }], next: 2 }, { tasks: [], next: 2 }, '{"tasks":[],"next":2}'],
    ['empty', { name: 'Ada' }, {}, '{}'],
    ['empty', 'Ada', null, ''],
    ['empty', '[{"id":1}]', null, '[]'],
    ['wrong_type', { id: 7, done: true }, { id: '7', done: 'true' }, '{"id":"7","done":"true"}'],
    ['wrong_type', { names: ['Ada'] }, { names: { 0: 'Ada' } }, '{"names":{"0":"Ada"}}'],
    ['wrong_type', { user: { id: 7 } }, { user: [7] }, '{"user":[7]}'],
    ['wrong_type', 'Ada', null, '["Ada"]'],
    ['wrong_type', '4711', null, '4711'],
  ])('changes a result: %s of %j', async (kind, result, structured, text) => {
    const { run } = await play([calls(called('list_tasks')), says('Done.')], {
      stubs: [stub(result)],
      faults: [fault(kind)],
    });
    expect(results(run)).toMatchObject([{ isError: false, structured, text }]);
    expect(run.steps[0]?.calls[0]).toMatchObject({ answeredBy: 'stubbed', fault: kind });
  });

  it('answers three seconds late unless it says otherwise, also next to the time of the tool', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { model, inputs } = scripted([calls(called('list_tasks')), says('Done.')]);
    const signal = new AbortController().signal;
    const running = runTask(taskRun({ faults: [fault('delay')] }), model, signal);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(inputs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    const run = await running;
    expect(run.steps[0]?.calls[0]).toMatchObject({
      ...{ answeredBy: 'not_executed', fault: 'delay', delayedMs: 3_000, durationMs: 0 },
    });
    expect(trajectoryFacts([], run, () => null).elapsedMs).toBe(3_002);
  });

  it('leaves a call that its tool never gets to the model: it is no trouble of the tool', async () => {
    const { run } = await play([calls(called('list_tasks', null)), says('Sorry.')], {
      faults: [fault('error')],
    });
    expect(run.steps[0]?.calls[0]).toMatchObject({ answeredBy: 'unreadable_arguments' });
  });

  it('isn’t sent to the server, whose data the retry alone changes', async () => {
    await using environment = await openEnvironment(
      [{ name: 'todo', config: todoServer }],
      environmentParts(),
      soon(),
    );
    const milk = called('add_task', { user_id: 'u-1', title: 'Milk' });
    const { run } = await play([calls(milk), calls(milk), says('Done.')], {
      mode: 'full',
      environment,
      faults: [{ ...add, fault: 'error' }],
      checks: [
        {
          ...{ id: 'one', kind: 'state', ...list, arguments: { user_id: 'u-1' } },
          ...{ at: '/tasks', test: 'contains', expected: { title: 'Milk' } },
        },
      ],
    });
    expect(run.steps.map(({ calls: [call] }) => call?.answeredBy)).toEqual([
      'fault',
      'executed',
      undefined,
    ]);
    expect(run.end).toEqual({ by: 'answered' });
    const { tasks } = run.states['one']?.structured as { tasks: unknown[] };
    expect(tasks).toHaveLength(1);
  });
});

describe('the score of a run with a fault on purpose', () => {
  const check = (more: object): Extract<TaskCheck, { kind: 'calls' }> => ({
    ...{ id: 'made', kind: 'calls', must: [], ordered: false, never: [] },
    ...more,
  });
  const runOf = async (...script: Reply[]) =>
    (await play(script, { faults: [{ ...add, fault: 'error' }] })).run;

  it('needs the call that was tried again, which alone counts', async () => {
    const judge = new AjvJudge();
    const givenUp = await runOf(calls(called('add_task')), says('It failed.'));
    const recovered = await runOf(
      calls(called('add_task')),
      calls(called('add_task')),
      says('Done.'),
    );
    const once = check({ must: [{ tool: 'add_task', at_most: 1 }] });
    expect(judgeCalls(once, givenUp, judge).passed).toBe(false);
    expect(judgeCalls(once, recovered, judge).passed).toBe(true);
    expect(judgeCalls(check({ never: ['add_task'] }), givenUp, judge).passed).toBe(false);
  });

  it('counts in recovery, by its kind, and not as an error of the tool', async () => {
    const faults: TaskFault[] = [{ ...add, fault: 'error' }];
    const runs = [
      await runOf(calls(called('add_task')), calls(called('add_task')), says('Done.')),
      await runOf(calls(called('add_task')), says('It failed.')),
      await runOf(says('I did nothing.')),
    ];
    const facts = runs.map((run, at) => ({
      ...trajectoryFacts([], run, () => null),
      ...{ taskId: `t-${at}`, succeeded: at === 0, cost: null, attack: null },
      faults: faultsMet(faults, run),
      toolUse: {
        tools: toolsOfRun(
          [],
          run.steps.map((step) =>
            step.calls.map((call) => ({
              ...call,
              given: null,
              isError: call.result.isError,
            })),
          ),
          (name) => name,
        ),
        stepsKnown: false,
        firstWrong: null,
      },
    }));
    const { recovery, faults: byKind, tools } = summarizeTasks(facts);
    expect(recovery).toMatchObject({ value: 0.5, n: 2 });
    expect(byKind).toMatchObject([
      { fault: 'error', recovery: { value: 0.5, n: 2 }, notReached: 1 },
    ]);
    expect(tools).toMatchObject([{ tool: 'todo:add_task', calls: 3, errors: 0, sent: 0 }]);
  });
});

it('a delay longer than the time limit is the limit of the run, as in any slow tool', async () => {
  const { run } = await play([calls(called('list_tasks')), says('Done.')], {
    limits: { ...defaultTaskLimits, seconds: 1 },
    faults: [fault('delay', { seconds: 60 })],
  });
  expect(run.end).toEqual({ by: 'limit', limit: 'seconds' });
});
