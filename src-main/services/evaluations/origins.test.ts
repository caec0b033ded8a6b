import { describe, expect, it } from 'vitest';
import { cases, openWith, resultsOf, run } from '../results/results.fixture.ts';
import type { Engine } from '../../testing/engine.ts';

/** Derives one evaluation of each kind from the first one. */
async function deriveAll(engine: Engine, first: string): Promise<void> {
  const { service, database } = engine;
  const { rows } = await service.runs({
    id: first,
    filter: {},
    sort: 'position',
    descending: false,
    offset: 0,
    limit: 1,
  });
  const override = {
    kind: 'override' as const,
    toolId: 's:add',
    description: 'Adds a number.',
  };
  const whatIf = await service.whatIf({ id: first, modelSettingsId: null, changes: [override] });
  await engine.drain(whatIf.id);
  const rerun = await service.rerunCase({ id: first, runId: rows[0]?.runId ?? '' });
  await engine.drain(rerun.id);
  const half = await service.repeat(first, {
    changes: [override],
    modelSettingsId: null,
    positions: [0, 1],
    settings: { repetitions: 1 },
  });
  await engine.drain(half.id);
  const step = await run(engine, { topK: 1 });
  const allTools = await run(engine);
  database.store.frontiers.insert(
    { id: 'f', suiteName: 'suite', encoding: 'cl100k_base', createdAt: '2026-01-01T00:00:00Z' },
    [
      { retriever: 'default', k: 1, evaluationId: step },
      { retriever: 'default', k: null, evaluationId: allTools },
    ],
  );
}

describe('origin of an evaluation', () => {
  it('names why it exists and the evaluation it belongs to', async () => {
    const { engine: opening } = openWith(cases(4));
    await using engine = await opening;
    const first = await run(engine);
    await deriveAll(engine, first);
    const list = await engine.service.list({ limit: 10 });
    expect(list.map(({ number, origin }) => [number, origin?.kind, origin?.number])).toEqual([
      [6, 'accuracy_step', null],
      [5, 'accuracy_step', 6],
      [4, 'proof_half', 1],
      [3, 'case_rerun', 1],
      [2, 'what_if', 1],
      [1, undefined, undefined],
    ]);
  });

  it('keeps derived evaluations out of the trend and out of metrics unless asked', async () => {
    const { engine: opening } = openWith(cases(4));
    await using engine = await opening;
    const first = await run(engine);
    await deriveAll(engine, first);
    const results = resultsOf(engine);
    const trend = await results.trend({ suite: 'suite', unit: 'case', model: null, limit: 50 });
    expect(trend.map(({ number }) => number)).toEqual([1]);
    expect((await results.metrics({})).evaluations).toBe(1);
    expect((await results.metrics({ derived: true })).evaluations).toBe(6);
    expect((await results.metrics({ evaluationIds: ['2'] })).evaluations).toBe(1);
  });

  it('lists the newest originals with what was derived since', async () => {
    const { engine: opening } = openWith(cases(4));
    await using engine = await opening;
    await run(engine);
    const second = await run(engine);
    await deriveAll(engine, second);
    const list = await engine.service.list({ limit: 1, limitOf: 'originals' });
    expect(list.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2]);
  });

  it('gives each evaluation the outcomes of its runs', async () => {
    const { state, engine: opening } = openWith(cases(4));
    await using engine = await opening;
    state.rightUpTo = 3;
    await run(engine);
    const [one] = await engine.service.list({ limit: 1 });
    expect(one?.outcomes).toMatchObject({ passed: 3, wrong_tool: 1, not_run: 0 });
  });
});
