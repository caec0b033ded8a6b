import { afterEach, describe, expect, it } from 'vitest';
import type { TaskContent } from '../../../src-shared/domain/task.ts';
import { expectNoLeaks, findLeaks } from '../../testing/leakCheck.ts';
import { called, calls, says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService as create, task } from '../../testing/taskService.ts';

afterEach(expectNoLeaks);

const state: TaskContent['checks'] = [
  {
    id: 'listed',
    kind: 'state',
    server: 'todo',
    tool: 'list_tasks',
    arguments: { user_id: 'u-1' },
    at: '/tasks',
    test: 'contains',
    expected: { title: 'Buy milk', id: 1 },
  },
];

describe('an evaluation of tasks', () => {
  it('runs every task with servers of its own and stores what happened', async () => {
    await using at = create([task('one', { checks: state }), task('two', { checks: state })]);
    const id = await at.start({ mode: 'full', agreedServers: ['todo'], repetitions: 2 });
    const events = await at.drain(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'ended', state: 'completed' });
    const report = await at.service.report({ id });
    // Each run saw the first id of a new database.
    expect(report.evaluation.outcomes).toMatchObject({ succeeded: 4, check_failed: 0 });
    expect(report.summary).toMatchObject({ scored: 4, succeeded: 4 });
    expect(report.executed).toEqual([
      { tool: 'todo:add_task', calls: 4, unanswered: 0, destructive: false },
    ]);
    const [first] = report.runs;
    const run = await at.service.run({ id, runId: first?.runId ?? '' });
    expect(run.trajectory?.steps.map((step) => step.calls.length)).toEqual([1, 0]);
    expect(run.trajectory?.states['listed']?.structured).toMatchObject({ count: 1 });
    expect(run.verdict?.checks).toMatchObject([{ id: 'listed', passed: true }]);
  });

  it('keeps each request and reply as they were sent and received', async () => {
    const { model } = scripted([calls(called('add_task', { title: 'x' })), says('Done.')]);
    await using at = create([task('one')], () => model);
    const id = await at.start({});
    await at.drain(id);
    const [run] = await at.runs(id);
    const kept = await at.service.exchanges({ id, runId: run?.runId ?? '' });
    expect(kept.map(({ request, response }) => [request, response])).toEqual([
      ['{"step":0}', '{"step":0}'],
      ['{"step":1}', '{"step":1}'],
    ]);
  });

  it('offers the other runs of a task, of any evaluation of its suite, and aligns two', async () => {
    let made = 0;
    await using at = create([task('one'), task('two')], () => {
      made += 1;
      const first = called(made === 1 ? 'add_task' : 'list_tasks', { user_id: 'u-1' });
      const run = [calls(first), says('Done.')];
      return scripted([run, run, run, run].flat()).model;
    });
    // One after the other, because the runs share a script.
    const older = await at.start({ concurrency: 1 });
    await at.drain(older);
    const newer = await at.start({ concurrency: 1, repetitions: 2 });
    await at.drain(newer);
    const [run] = await at.runs(older);
    const address = { id: older, runId: run?.runId ?? '' };
    const others = await at.service.otherRuns(address);
    expect(others).toMatchObject([
      { evaluationId: newer, number: 2, repetition: 1, model: 'Built-in selector (no model)' },
      { evaluationId: newer, number: 2, repetition: 2 },
    ]);
    const own = await at.runs(newer);
    expect(others.map(({ runId }) => runId)).toEqual(
      own.filter(({ taskKey }) => taskKey === run?.taskKey).map(({ runId }) => runId),
    );
    const reference = { id: newer, runId: others[0]?.runId ?? '' };
    const { rows, first } = await at.service.align({ run: address, reference });
    expect([rows.map(({ relation }) => relation), first]).toEqual([['tools', 'same'], 0]);
    await expect(
      at.service.align({ run: address, reference: { id: older, runId: reference.runId } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says what changed since the previous result of its model, mode and suite', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    let failing = keys.length - 1;
    let asked = 0;
    // The last tasks of a result answer without the call that their check requires.
    await using at = create(
      keys.map((key) => task(key)),
      () =>
        scripted((input) => {
          if (input.by !== 'user') return says('Done.');
          asked += 1;
          return asked > keys.length - failing ? says('Done.') : calls(called('add_task'));
        }).model,
    );
    const changeOf = async (request: object) => {
      asked = 0;
      const id = await at.start({
        mode: 'full',
        agreedServers: ['todo'],
        concurrency: 1,
        ...request,
      });
      await at.drain(id);
      const { evaluation, previous } = await at.service.report({ id });
      return { id, number: evaluation.number, change: Object.values(previous)[0] ?? null };
    };
    const first = await changeOf({});
    expect(first.change).toBeNull();
    // Another execution mode is another sequence.
    expect((await changeOf({ mode: 'stub', agreedServers: [] })).change).toBeNull();
    failing = 0;
    // 6 of 7 fixed, none broken: p = 2 · ½⁶ = 0.031.
    expect((await changeOf({})).change).toEqual({
      ...{ evaluationId: first.id, number: first.number, model: null, sharedCases: 7 },
      ...{ fixed: 6, broken: 0, passedDifference: 6, withinNoise: false },
    });
  });

  it('executes nothing by default, and asks no model where a state check could not be read', async () => {
    let asked = 0;
    await using at = create([task('one'), task('two', { checks: state })], () => {
      const { model } = scripted((input) => {
        asked += 1;
        return input.by === 'user' ? calls(called('add_task')) : says('Done.');
      });
      return model;
    });
    const id = await at.start({});
    expect((await at.drain(id)).at(-1)).toMatchObject({ state: 'incomplete' });
    const report = await at.service.report({ id });
    expect(report.runs.map(({ outcome, failure }) => [outcome, failure])).toEqual([
      ['succeeded', null],
      ['not_scored', 'mode'],
    ]);
    expect(asked).toBe(2);
    expect(report.executed).toEqual([]);
  });

  it('refuses a suite of which the mode can score nothing', async () => {
    await using at = create([task('one', { checks: state })]);
    await expect(at.start({})).rejects.toThrow(
      'No task can be scored in execution mode stub. Choose execution mode full. The first is one:',
    );
    await expect(at.start({ mode: 'read-only' })).resolves.toBeTypeOf('string');
  });

  it('says once how many tasks a mode leaves without a score, and which mode scores them', async () => {
    await using at = create([
      task('one', { checks: state }),
      task('two', { checks: state }),
      task('three'),
    ]);
    const { problems } = await at.service.plan(at.request({}));
    expect(problems).toMatchObject([
      {
        severity: 'warning',
        taskKey: null,
        message: expect.stringMatching(
          /^2 of 3 tasks can't be scored in execution mode stub\. Choose execution mode full\. The first is one: /u,
        ) as string,
      },
    ]);
  });

  it('never executes all tools of a server that nobody agreed to', async () => {
    await using at = create([task('one', { servers: ['todo', 'stuck'] })]);
    await expect(at.start({ mode: 'full' })).rejects.toThrow('todo, stuck');
    await expect(at.start({ mode: 'full', agreedServers: ['todo'] })).rejects.toThrow('stuck');
    expect(at.store.evaluations.listWhole(10)).toEqual([]);
  });

  it('does not score the tasks of a server that does not start, and scores the others', async () => {
    await using at = create([task('one', { servers: ['broken'] }), task('two')]);
    const id = await at.start();
    await at.drain(id);
    const { runs, evaluation } = await at.service.report({ id });
    expect(runs.map(({ outcome, failure }) => [outcome, failure])).toEqual([
      ['not_scored', 'server'],
      ['succeeded', null],
    ]);
    expect(evaluation).toMatchObject({ state: 'incomplete' });
    const again = await at.service.resume({ id });
    expect(again.state).toBe('running');
    await at.drain(id);
    expect((await at.runs(id)).map(({ attempt }) => attempt)).toEqual([2, 1]);
  });

  it('ends the servers of its runs when it is cancelled, and resumes from the start', async () => {
    const reached = Promise.withResolvers<void>();
    let stuck = true;
    await using at = create(
      [
        task('one', {
          servers: ['stuck'],
          checks: [{ id: 'a', kind: 'answer', expected: 'Done.' }],
        }),
      ],
      () => {
        const { model } = scripted((input) => {
          if (input.by === 'tools' || !stuck) return says('Done.');
          // The server never answers it.
          return calls(called('echo', { text: 'x' }, 'stuck'));
        });
        return model;
      },
      { onCall: reached.resolve },
    );
    const id = await at.start();
    await reached.promise;
    const startedAt = performance.now();
    await at.service.cancel({ id });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    // All but the database of this test.
    expect((await findLeaks()).filter((leak) => !leak.includes('touchstone-test'))).toEqual([]);
    const cancelled = await at.service.report({ id });
    expect(cancelled.evaluation).toMatchObject({ state: 'cancelled', outcomes: { not_run: 1 } });
    expect(cancelled.summary).toMatchObject({ scored: 0, tools: [] });
    // The call that was under way is known, and that it may have taken effect.
    const runId = cancelled.runs[0]?.runId ?? '';
    const { trajectory, outcome } = await at.service.run({ id, runId });
    expect([outcome, trajectory?.end]).toMatchObject([null, { stage: 'interrupted' }]);
    expect(trajectory?.steps.map((step) => step.calls)).toMatchObject([
      [{ name: 'echo', answeredBy: 'no_answer' }],
    ]);
    expect(cancelled.executed).toMatchObject([{ tool: 'stuck:echo', calls: 1, unanswered: 1 }]);
    expect(await at.service.exchanges({ id, runId })).toHaveLength(1);
    stuck = false;
    await at.service.resume({ id });
    await at.drain(id);
    const [run] = await at.runs(id);
    expect(run).toMatchObject({ outcome: 'succeeded', attempt: 2, facts: { calls: 0 } });
  });

  it('does not change when its suite is edited, and can be removed and restored', async () => {
    await using at = create([task('one')]);
    const id = await at.start({});
    await at.drain(id);
    const before = await at.service.report({ id });
    at.store.tasks.replaceIn(before.evaluation.suiteId ?? '', [task('one', { name: 'Other' })]);
    expect(await at.service.report({ id })).toEqual(before);
    const { token } = await at.service.remove({ id });
    await expect(at.service.get({ id })).rejects.toThrow("It doesn't exist.");
    at.store.evaluations.restore(at.store.trash.take(token)?.content);
    expect(await at.service.report({ id })).toEqual(before);
  });
});
