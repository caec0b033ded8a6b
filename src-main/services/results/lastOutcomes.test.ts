import { expect, it } from 'vitest';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { ChatFailure } from '../../adapters/llm/chatModel.ts';
import { call } from '../../testing/engine.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { readLastOutcomes } from './lastOutcomes.ts';
import { cases, openWith, resultsOf, run } from './results.fixture.ts';

it('shows the last outcome of each case, whichever result it comes from', async () => {
  const { state, engine: opening } = openWith(cases(3));
  await using engine = await opening;
  const { store } = engine.database;
  const suiteId = store.suites.list()[0]?.id ?? '';
  const results = resultsOf(engine);
  expect(await results.lastOutcomes({ suiteId })).toEqual({ results: 0, models: [], entries: [] });

  state.rightUpTo = 3;
  const first = await run(engine);
  const listed = store.testCases.listBySuite(suiteId);
  const [, renamed, edited] = listed;
  if (!renamed || !edited) throw new Error('There are three cases.');
  store.testCases.deleteMany([edited.id]);
  state.rightUpTo = 1;
  const second = await run(engine);
  store.testCases.restore([edited]);
  store.testCases.update(renamed.id, { ...renamed, name: 'another name', tags: ['new'] });

  const { models, entries, results: ended } = await results.lastOutcomes({ suiteId });
  expect(ended).toBe(2);
  expect(models).toMatchObject([
    {
      unit: 'case',
      results: [
        { id: second, number: 2 },
        { id: first, number: 1 },
      ],
      entries: 3,
      changed: 0,
      outcomes: { passed: 2, wrong_tool: 1, not_run: 0 },
    },
  ]);
  expect(entries.map(({ id, last }) => [id, last[0]?.number, last[0]?.outcome])).toEqual([
    [listed[0]?.id, 2, 'passed'],
    [renamed.id, 2, 'wrong_tool'],
    [edited.id, 1, 'passed'],
  ]);
});

it('counts no run of a case whose question has changed, and says so', async () => {
  const { engine: opening } = openWith(cases(2));
  await using engine = await opening;
  const { store } = engine.database;
  const suiteId = store.suites.list()[0]?.id ?? '';
  await run(engine);
  const [first] = store.testCases.listBySuite(suiteId);
  if (!first) throw new Error('There are two cases.');
  store.testCases.update(first.id, { ...first, query: 'Another question' });
  const { models, entries } = await resultsOf(engine).lastOutcomes({ suiteId });
  expect(models).toMatchObject([{ entries: 1, changed: 1, outcomes: { wrong_tool: 1 } }]);
  expect(entries.map(({ last }) => last[0]?.changed)).toEqual([true, false]);
});

it('gives the rate the interval of the result that the outcomes come from', async () => {
  const { state, engine: opening } = openWith(cases(12));
  await using engine = await opening;
  const suiteId = engine.database.store.suites.list()[0]?.id ?? '';
  state.script = async ({ query, repetition }) => ({
    calls: [call('s', Number(query) % 3 === 0 && repetition > 1 ? 'remove' : 'add')],
  });
  const id = await run(engine, { repetitions: 3 });
  const results = resultsOf(engine);
  const { models } = await results.lastOutcomes({ suiteId });
  const { metrics } = await engine.service.summary({ id, modelSettingsId: null });
  expect(models.map(({ rate }) => rate)).toEqual([metrics.passRate]);
  // Repetitions of one case are not independent: the interval is wider than that of as many cases.
  expect(models[0]?.rate).toMatchObject({ n: 36 });
});

it('keeps models apart, counts repetitions as runs, and never scores a failed request', async () => {
  const { state, engine: opening } = openWith(cases(2));
  await using engine = await opening;
  const suiteId = engine.database.store.suites.list()[0]?.id ?? '';
  state.script = async ({ query, repetition }, _signal, model) => {
    if (query === '1') throw new ChatFailure('provider', 'Down.');
    const isRight = model.model === 'good' || repetition === 1;
    return { calls: [call('s', isRight ? 'add' : 'remove')] };
  };
  await run(engine, {
    repetitions: 3,
    models: ['good', 'bad'].map((model) => modelConfiguration.parse({ provider: 'openai', model })),
  });
  const { models, entries } = await resultsOf(engine).lastOutcomes({ suiteId });
  expect(models).toMatchObject([
    { model: 'openai · good', entries: 2, outcomes: { passed: 3, not_scored: 3 } },
    { model: 'openai · bad', entries: 2, outcomes: { passed: 1, wrong_tool: 2, not_scored: 3 } },
  ]);
  expect(
    entries.map(({ last }) => last.map((one) => [one.outcome, one.passed, one.scored])),
  ).toEqual([
    [
      ['passed', 3, 3],
      ['wrong_tool', 1, 3],
    ],
    [
      ['not_scored', 0, 0],
      ['not_scored', 0, 0],
    ],
  ]);
});

it('leaves derived results out', async () => {
  const { state, engine: opening } = openWith(cases(1));
  await using engine = await opening;
  const suiteId = engine.database.store.suites.list()[0]?.id ?? '';
  state.rightUpTo = 1;
  const id = await run(engine);
  state.rightUpTo = 0;
  const estimate = await engine.service.whatIf({
    id,
    modelSettingsId: null,
    changes: [{ kind: 'remove_tool', toolId: 's:remove' }],
  });
  await engine.drain(estimate.id);
  const { results, models } = await resultsOf(engine).lastOutcomes({ suiteId });
  expect(results).toBe(1);
  expect(models).toMatchObject([{ outcomes: { passed: 1 } }]);
});

it('counts tasks by their own outcomes', async () => {
  await using tasks = createTaskService([
    task('made'),
    task('never', {
      checks: [{ id: 'gone', kind: 'calls', must: ['delete_task'], ordered: false, never: [] }],
    }),
  ]);
  const id = await tasks.start();
  await tasks.drain(id);
  const suiteId = tasks.store.suites.list()[0]?.id ?? '';
  const { models, entries } = readLastOutcomes(tasks.store, suiteId);
  expect(models).toMatchObject([{ unit: 'task', entries: 2, results: [{ id, number: 1 }] }]);
  const [counted] = models;
  expect(counted?.outcomes).toMatchObject({ succeeded: 1, not_run: 0 });
  expect(entries.map(({ unit, last }) => [unit, last[0]?.passed, last[0]?.scored])).toEqual([
    ['task', 1, 1],
    ['task', 0, 1],
  ]);
});
