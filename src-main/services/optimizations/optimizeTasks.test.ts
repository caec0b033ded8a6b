import { afterEach, describe, expect, it } from 'vitest';
import {
  optimizationSettings,
  type Optimization,
} from '../../../src-shared/domain/optimization.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { applyCatalog } from '../../optimize/catalog.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { isNightly } from '../../testing/nightly.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import {
  damaged,
  inlineTools,
  plantedTasks as planted,
  whole,
} from '../trials/plantedTasks.fixture.ts';
import { openTaskTrial } from '../trials/taskTrial.ts';
import { OptimizationsService } from './optimizationsService.ts';

afterEach(expectNoLeaks);

/** Those of eight damaged tools. */
const some = planted.slice(0, 48);

/** The optimizer over the tasks of a service. */
function optimizer(at: ReturnType<typeof createTaskService>): OptimizationsService {
  return new OptimizationsService({
    store: at.store,
    openChatModel: () => Promise.reject(new Error('No model is asked by the rules.')),
    prices: { of: () => null },
    trials: {
      open: (target) => {
        const row = at.store.evaluations.get('task', target.evaluationId);
        if (!row) throw new Error('There is no such evaluation.');
        return openTaskTrial(at.store, at.service, row, target);
      },
    },
    clock: { monotonic: () => performance.now() },
  });
}

async function open(tools: typeof whole, tasks = planted) {
  const at = createTaskService(tasks);
  const evaluationId = await at.start({ mode: 'stub', ...inlineTools(tools) });
  await at.drain(evaluationId);
  const service = optimizer(at);
  const request = (over: object = {}) => ({
    ...optimizationSettings.parse({ maxSteps: 200, patience: 40, ...over }),
    evaluationId,
    modelSettingsId: null,
  });
  return {
    ...at,
    service,
    tasks: at.service,
    evaluationId,
    request,
    /** The share of tasks of the proof half that succeed with these tools. */
    async successOf(other: typeof whole): Promise<number> {
      const id = await at.start({ mode: 'stub', ...inlineTools(other) });
      await at.drain(id);
      const runs = (await at.runs(id)).filter(({ taskKey }) => halfOf(taskKey) === 'proof');
      return runs.filter(({ outcome }) => outcome === 'succeeded').length / runs.length;
    },
    async finish(over: object = {}): Promise<Optimization> {
      const { id } = await service.start(request(over));
      const { signal } = new AbortController();
      for await (const { state } of service.watch({ id }, { signal }))
        if (state !== 'running') break;
      return service.get({ id });
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await at[Symbol.asyncDispose]();
    },
  };
}

describe('an optimization of tasks', () => {
  it.runIf(isNightly)(
    'brings back at least 80% of the success that planted damage took, on tasks it never saw',
    async () => {
      await using at = await open(damaged);
      const startedAt = performance.now();
      const ended = await at.finish();
      const seconds = (performance.now() - startedAt) / 1000;
      expect(ended).toMatchObject({ state: 'accepted', proofRank: 1 });
      const lost = await at.successOf(damaged);
      const best = await at.successOf(whole);
      expect(best - lost).toBeGreaterThan(0.3);
      const found = await at.successOf(applyCatalog(damaged, ended.result?.edits ?? []));
      expect((found - lost) / (best - lost)).toBeGreaterThanOrEqual(0.8);
      expect(seconds).toBeLessThan(60);
      // Its steps are led to by the optimization alone.
      const listed = await at.tasks.list({ limit: 500, baseId: null });
      expect(listed.map(({ settings }) => settings.whatIf)).toEqual([null, null, null, null]);
      expect(await at.tasks.list({ limit: 500, baseId: at.evaluationId })).toEqual([]);
      const { text } = await at.service.export({ id: ended.id, format: 'markdown' });
      expect(text).toContain('| held-out tasks | before | after |');
      expect(text).toContain('starting from task evaluation #1.');
    },
  );

  it('takes the same steps again with the same seed', async () => {
    await using at = await open(damaged, some);
    const first = await at.finish({ seed: 3, maxSteps: 6 });
    const second = await at.finish({ seed: 3, maxSteps: 6 });
    expect(first.steps.length).toBeGreaterThan(2);
    expect(second.steps).toEqual(first.steps);
  });

  it('reads the user turn of the first wrong step and what was called there', async () => {
    await using at = await open(damaged, some);
    const row = at.store.evaluations.get('task', at.evaluationId);
    if (!row) throw new Error('There is no evaluation.');
    const trial = openTaskTrial(at.store, at.tasks, row, at.request());
    expect(trial.unit).toBe('task');
    const items = [...trial.half('search'), ...trial.half('proof')];
    expect(items).toHaveLength(some.length);
    const long = items.find(({ requests }) => requests?.length === 2);
    expect(long?.requests?.map(({ expected }) => expected)).toEqual(
      long?.expected.map((id) => [id]),
    );
    const failures = trial.scores(items).flatMap(({ position, failures: all }) =>
      all.map((failure) => ({
        ...failure,
        item: items.find((one) => one.position === position),
      })),
    );
    expect(failures.length).toBeGreaterThan(5);
    for (const { query, expected, called, item } of failures) {
      const turn = item?.requests?.find((one) => one.query === query);
      expect(turn?.expected).toEqual([expected]);
      expect(called).not.toBe(expected);
    }
  });

  it('exceeds its budget by no more than the requests in flight', async () => {
    await using at = await open(damaged, some);
    const { concurrency } = (await at.tasks.get({ id: at.evaluationId })).settings;
    const { estimate } = await at.service.plan(at.request());
    for (const calls of [90, 130, 200]) {
      expect(calls).toBeLessThan(estimate.calls);
      const { spent, state } = await at.finish({ budget: { calls } });
      expect(['accepted', 'cannot_tell', 'rejected', 'nothing_found']).toContain(state);
      expect(spent.calls).toBeLessThanOrEqual(calls + concurrency);
    }
  });

  it('proves edits that are given, without a search, and refuses those of another text', async () => {
    await using at = await open(damaged, some);
    const edits = damaged.flatMap(({ name, description: oldText }, at) => {
      const newText = whole[at]?.description ?? '';
      const edit = { toolId: `office:${name}`, path: '/description', oldText, newText };
      return oldText === newText ? [] : [edit];
    });
    const proposer = { kind: 'given', edits };
    const { estimate, typical, proofCases } = await at.service.plan(at.request({ proposer }));
    expect(estimate.calls).toBe(typical.calls);
    const ended = await at.finish({ proposer });
    expect(ended).toMatchObject({ state: 'accepted', steps: [], result: { edits } });
    expect(ended.result?.cases).toBe(proofCases);
    expect(ended.spent.calls).toBeLessThanOrEqual(estimate.calls * 1.2);
    const foreign = edits.map((edit) => ({ ...edit, oldText: 'Something else.' }));
    await expect(at.finish({ proposer: { kind: 'given', edits: foreign } })).rejects.toThrow(
      'The tool of this evaluation has another text there.',
    );
  });

  it('ends early and uses up no proof if nothing helps', async () => {
    const impossible = some.map(({ key, content }) =>
      task(key, { ...content, checks: [{ id: 'told', kind: 'answer', expected: 'never said' }] }),
    );
    await using at = await open(damaged, impossible);
    const ended = await at.finish();
    expect(ended).toMatchObject({ state: 'nothing_found', stopped: 'exhausted', proofRank: null });
    expect(ended.spent.calls).toBe(0);
  });

  it('executes nothing that nobody agreed to', async () => {
    const todo = ['add', 'put', 'note', 'write'].map((word) =>
      task(word, { turns: [`Please ${word} "Buy milk" for user u-1`] }),
    );
    await using at = createTaskService(todo);
    const evaluationId = await at.start({ mode: 'full', agreedServers: ['todo'] });
    await at.drain(evaluationId);
    const service = optimizer(at);
    const request = {
      ...optimizationSettings.parse({ tasks: {} }),
      evaluationId,
      modelSettingsId: null,
    };
    const { execution } = await service.plan(request);
    expect(execution).toMatchObject({ mode: 'full', servers: ['todo'] });
    const before = (await at.service.list({ limit: 10, baseId: null })).length;
    await expect(service.start(request)).rejects.toThrow(
      'It executes every tool that a model calls on todo.',
    );
    expect(await service.list()).toEqual([]);
    expect(before).toBe(1);
    await service.close();
  });
});
