import { describe, expect, it } from 'vitest';
import { call, createEngine, type FakeCase } from '../../testing/engine.ts';
import { tools, right, cases, openWith, resultsOf, run, refused } from './results.fixture.ts';

describe('trend', () => {
  it('orders evaluations and marks changes of tools', async () => {
    const servers = { s: tools };
    const { state, engine: opening } = openWith(cases(4), servers);
    await using engine = await opening;
    state.rightUpTo = 1;
    await run(engine);
    state.rightUpTo = 4;
    servers.s = [...tools, { name: 'more' }];
    await run(engine);
    await run(engine);
    const points = await resultsOf(engine).trend({
      suite: 'suite',
      unit: 'case',
      model: null,
      limit: 50,
    });
    expect(
      points.map(({ number, runs, metrics, tools: changes, casesChanged }) => [
        number,
        runs,
        metrics.passRate?.value,
        changes?.added ?? null,
        casesChanged,
      ]),
    ).toEqual([
      [1, 4, 0.25, null, false],
      [2, 4, 1, ['s:more'], false],
      [3, 4, 1, null, false],
    ]);
    expect(points[1]?.metrics.selectionRecall).toEqual({
      value: 1,
      low: null,
      high: null,
      n: 4,
    });
    expect(
      await resultsOf(engine).trend({
        suite: engine.suiteId,
        unit: 'case',
        model: 'no such model',
        limit: 50,
      }),
    ).toEqual([]);
    expect(
      (
        await refused(
          resultsOf(engine).trend({ suite: 'nowhere', unit: 'case', model: null, limit: 50 }),
        )
      ).code,
    ).toBe('NOT_FOUND');
  });
});

describe('metrics', () => {
  it('filters runs, and without a filter equals the summary of the evaluation', async () => {
    const list: FakeCase[] = [
      { query: '0', expected: right },
      { query: '1', expected: right, tags: ['smoke'] },
      { query: '2', expected: [{ anyOf: [{ server: 's', tool: 'gone' }] }] },
      { query: '3', expected: [] },
    ];
    await using engine = await createEngine({
      servers: { s: tools, t: [{ name: 'look' }] },
      cases: list,
      script: async ({ query }) => ({
        calls:
          query === '3'
            ? [call('t', 'look')]
            : query === '0'
              ? [call('s', 'add')]
              : [call('s', 'remove')],
      }),
    });
    const id = await run(engine);
    const results = resultsOf(engine);
    const of = (filter: Parameters<typeof results.metrics>[0]) => results.metrics(filter);
    const {
      evaluationId: _e,
      modelSettingsId: _m,
      durationMs: _d,
      confusion,
      perTool,
      cases: _c,
      ...summary
    } = await engine.service.summary({ id, modelSettingsId: null });
    expect(await of({})).toMatchObject({ ...summary, evaluations: 1, cases: 4 });
    expect(confusion.labels).toContain('t:look');
    expect(perTool.length).toBe(3);
    expect(await results.metricsChoices()).toEqual({
      tags: ['smoke'],
      servers: ['s', 't'],
      tools: [...tools.map(({ name }) => `s:${name}`).toSorted(), 't:look'],
    });
    expect((await of({ tool: 's:add' })).counts).toMatchObject({
      tp: 1,
      fn: 1,
      fp: 0,
      failed: 0,
      total: 2,
    });
    expect((await of({ tool: 's:gone' })).counts).toMatchObject({ failed: 1, total: 1 });
    expect((await of({ server: 't' })).counts).toMatchObject({ fp: 1, total: 1 });
    expect((await of({ server: 's' })).counts).toMatchObject({ total: 3 });
    expect(
      (await of({ suite: 'suite', model: 'scripted', evaluationIds: ['#1'] })).counts.total,
    ).toBe(4);
    expect((await of({ model: 'builtin/scripted' })).counts.total).toBe(4);
    expect(await of({ suite: 'another' })).toMatchObject({
      evaluations: 0,
      runs: 0,
      metrics: { selectionF1: { value: null, n: 0 } },
      latencyMs: { p50: null },
    });
    expect((await of({ from: '2025-12-31' })).counts.total).toBe(4);
    expect((await of({ to: '2026-01-01' })).counts.total).toBe(0);
    expect((await refused(of({ from: 'yesterday' }))).data.field).toBe('from');
    expect((await of({ tag: 'none' })).counts.total).toBe(0);
    // A second run adds no cases, and intervals are computed over cases.
    await run(engine);
    expect(await of({})).toMatchObject({ evaluations: 2, cases: 4, runs: 6 });
  });

  it('keeps runs where the tool or server is one of several equally right ones', async () => {
    const either = {
      anyOf: [
        { server: 's', tool: 'remove' },
        { server: 't', tool: 'look' },
      ],
    };
    await using engine = await createEngine({
      servers: { s: tools, t: [{ name: 'look' }] },
      cases: [
        { query: '0', expected: [either] },
        { query: '1', expected: [either] },
        { query: '2', expected: right },
      ],
      script: async ({ query }) => ({ calls: [call('s', query === '0' ? 'remove' : 'add')] }),
    });
    await run(engine);
    const results = resultsOf(engine);
    const total = async (filter: Parameters<typeof results.metrics>[0]) =>
      (await results.metrics(filter)).counts.total;
    expect(await total({ tool: 't:look' })).toBe(2);
    expect(await total({ tool: 's:remove' })).toBe(2);
    expect(await total({ tool: 's:add' })).toBe(2);
    expect(await total({ tool: 's:rem' })).toBe(0);
    expect(await total({ server: 't' })).toBe(2);
    const { anyOf, perTool, metrics } = await results.metrics({ tool: 't:look' });
    expect(anyOf).toMatchObject([{ label: 's:remove | t:look', tp: 1, fn: 1 }]);
    expect(
      perTool.map(({ toolId, tp, anyOf: shared, fp, fn }) => [toolId, tp, shared, fp, fn]),
    ).toEqual([
      ['s:add', 0, 0, 1, 0],
      ['s:remove', 0, 1, 0, 0],
      ['t:look', 0, 0, 0, 0],
    ]);
    expect(metrics.selectionRecall).toMatchObject({ value: 0.5, n: 2 });
  });

  it('costs each evaluation at its own price, with all attempts; unknown costs are null', async () => {
    const usage = (source: 'measured' | 'estimated') => ({ input: 100, output: 10, source });
    const { state, engine: opening } = openWith(cases(4));
    await using engine = await opening;
    let cutOff = true;
    state.script = async ({ query }) =>
      query === '3' && cutOff
        ? { calls: [], stopReason: 'cut_off', usage: usage('measured') }
        : { calls: [call('s', 'add')], usage: usage('measured') };
    const price = (inputUsd: number) => ({
      inputUsd,
      outputUsd: 0,
      source: 'own' as const,
      date: '2026-01-01',
    });
    const setPrice = (id: string, value: ReturnType<typeof price>) =>
      engine.database.db
        .prepare('UPDATE evaluation_models SET price = ? WHERE evaluation_id = ?')
        .run(JSON.stringify(value), id);
    const cheap = await run(engine);
    cutOff = false;
    await engine.service.resume({ id: cheap });
    await engine.drain(cheap);
    const dear = await run(engine);
    const of = (filter: Parameters<ReturnType<typeof resultsOf>['metrics']>[0]) =>
      resultsOf(engine).metrics(filter);
    expect(await of({})).toMatchObject({ costUsd: null, tokenSource: 'measured' });
    for (const [id, inputUsd] of [
      [cheap, 1_000],
      [dear, 2_000],
    ] as const)
      setPrice(id, price(inputUsd));
    // 100 tokens at $1,000 and $2,000 per million; the first evaluation asked one case twice.
    expect((await of({ evaluationIds: [cheap] })).costUsd).toBeCloseTo(0.5, 12);
    expect((await of({})).costUsd).toBeCloseTo(0.5 + 0.8, 12);
    expect((await of({ server: 's' })).costUsd).toBeCloseTo(1.3, 12);
    expect(await of({ tag: 'none' })).toMatchObject({ costUsd: null, tokenSource: null });
    state.script = async ({ query }) => ({
      calls: [call('s', 'add')],
      usage: query === '0' ? null : usage('estimated'),
    });
    const untold = await run(engine);
    setPrice(untold, price(1));
    expect(await of({})).toMatchObject({ costUsd: null, tokenSource: 'mixed' });
    expect((await of({ evaluationIds: ['#2'] })).costUsd).toBeCloseTo(0.8, 12);
  });
});
