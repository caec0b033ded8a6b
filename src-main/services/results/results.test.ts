import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { proportion } from '../../../src-shared/metrics/intervals.ts';
import {
  call,
  createEngine,
  type Engine,
  type FakeCase,
  type Script,
} from '../../testing/engine.ts';
import { ResultsService } from './resultsService.ts';
const tools = [{ name: 'add' }, { name: 'remove' }];
const right: FakeCase['expected'] = [{ server: 's', tool: 'add' }];
const cases = (n: number): FakeCase[] =>
  Array.from({ length: n }, (_, index) => ({ query: `${index}`, expected: right }));
const side = (id: string) => ({ id, modelSettingsId: null });

/** A model whose correct cases can be changed between evaluations. */
function openWith(
  list: FakeCase[],
  servers: Parameters<typeof createEngine>[0]['servers'] = { s: tools },
) {
  const state = { rightUpTo: 0, wrong: new Set<number>(), script: null as Script | null };
  const script: Script = async (request, signal) => {
    if (state.script) return state.script(request, signal);
    const at = Number(request.query);
    return { calls: [call('s', at < state.rightUpTo && !state.wrong.has(at) ? 'add' : 'remove')] };
  };
  return { state, engine: createEngine({ servers, cases: list, script }) };
}
const resultsOf = (engine: Engine) =>
  new ResultsService({
    store: engine.database.store,
    reader: engine.reader,
    summarize: ({ id }, modelSettingsId) => engine.service.summary({ id, modelSettingsId }),
  });
const run = async (engine: Engine, change = {}) => {
  const id = await engine.start(change);
  await engine.drain(id);
  return id;
};
const refused = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
};

describe('compare', () => {
  it('lists fixed, broken and unchanged cases with matching rates and p-value', async () => {
    const { state, engine: opening } = openWith(cases(20));
    await using engine = await opening;
    state.rightUpTo = 12;
    const baseline = await run(engine);
    state.rightUpTo = 20;
    state.wrong = new Set([0, 19]);
    const candidate = await run(engine);
    const {
      candidates: [found],
      passedWhen,
    } = await resultsOf(engine).compare({
      baseline: side(baseline),
      candidates: [side(candidate)],
      passedWhen: null,
    });
    expect(passedWhen).toBe('selection');
    expect(found).toMatchObject({
      sharedCases: 20,
      stillRight: 11,
      baselineRight: proportion(12, 20),
      candidateRight: proportion(18, 20),
      answer: 'cannot tell',
      modelDiffers: false,
    });
    expect(found?.regressed.map(({ query }) => query)).toEqual(['0']);
    expect(found?.fixed.map(({ query }) => query)).toEqual([
      '12',
      '13',
      '14',
      '15',
      '16',
      '17',
      '18',
    ]);
    expect(found?.stillFailing.map(({ query }) => query)).toEqual(['19']);
    expect(found?.regressed[0]).toMatchObject({
      caseKey: 'case-0',
      before: ['s:add'],
      after: ['s:remove'],
    });
    // 1 lost, 7 won: 2 · (1 + 8) / 2⁸.
    expect(found?.pValue).toBe(18 / 256);
    expect(found?.difference?.value).toBeCloseTo(6 / 20, 12);
    expect(found?.needed?.cases).toBeGreaterThan(20);
    const opened = found?.regressed[0]?.candidateRunId ?? '';
    expect(engine.database.store.runQueries.row(opened)).toMatchObject({
      classification: 'FN',
      query: '0',
    });
  });

  it('decides better or worse, and adjusts p-values for several candidates', async () => {
    const { state, engine: opening } = openWith(cases(20));
    await using engine = await opening;
    state.rightUpTo = 5;
    const baseline = await run(engine);
    state.rightUpTo = 20;
    const better = await run(engine);
    const results = resultsOf(engine);
    expect(
      (
        await results.compare({
          baseline: side(baseline),
          candidates: [side(better)],
          passedWhen: null,
        })
      ).candidates[0]?.answer,
    ).toBe('better');
    const { candidates } = await results.compare({
      baseline: side(better),
      candidates: [side(baseline), side(better)],
      passedWhen: null,
    });
    expect(candidates.map(({ answer }) => answer)).toEqual(['worse', 'cannot tell']);
    expect(candidates[0]?.adjustedP).toBe((candidates[0]?.pValue ?? 0) * 2);
    expect(candidates[1]).toMatchObject({
      pValue: 1,
      regressed: [],
      fixed: [],
      needed: { points: 0.05 },
    });
  });

  it('leaves changed cases out and lists added and removed ones', async () => {
    const { state, engine: opening } = openWith(cases(6));
    await using engine = await opening;
    state.rightUpTo = 6;
    const baseline = await run(engine);
    const { store } = engine.database;
    const [first, second, third] = store.testCases.listBySuite(engine.suiteId);
    if (!first || !second || !third) throw new Error('no cases');
    const { id: _id, suiteId: _s, position: _p, createdAt: _c, updatedAt: _u, ...content } = first;
    store.testCases.update(first.id, { ...content, query: '99' });
    // A new name or tag does not change the question.
    store.testCases.update(third.id, {
      ...content,
      key: third.key,
      query: third.query,
      name: 'renamed',
      tags: ['new'],
    });
    store.testCases.deleteMany([second.id]);
    store.testCases.insertMany(engine.suiteId, [{ ...content, key: 'new', query: '3' }]);
    const candidate = await run(engine);
    const {
      candidates: [found],
    } = await resultsOf(engine).compare({
      baseline: side(baseline),
      candidates: [side(candidate)],
      passedWhen: null,
    });
    expect(found).toMatchObject({ sharedCases: 4, stillRight: 4 });
    expect(found?.changed.map(({ caseKey }) => caseKey)).toEqual(['case-0']);
    expect(found?.removed.map(({ caseKey }) => caseKey)).toEqual(['case-1']);
    expect(found?.added.map(({ caseKey }) => caseKey)).toEqual(['new']);
  });

  it('matches a suite file with the same suite in the workspace', async () => {
    const { state, engine: opening } = openWith(cases(3));
    await using engine = await opening;
    state.rightUpTo = 3;
    const baseline = await run(engine);
    const suite = {
      version: 1 as const,
      name: 'suite',
      servers: ['s'],
      cases: cases(3).map(({ query }, index) => ({
        id: index === 2 ? 'other' : `case-${index}`,
        name: `case ${index}`,
        query,
        expected_calls: [{ server: 's', tool: 'add' }],
      })),
    };
    const candidate = await run(engine, { suiteId: null, inline: { suite } });
    const {
      candidates: [found],
    } = await resultsOf(engine).compare({
      baseline: side(baseline),
      candidates: [side(candidate)],
      passedWhen: null,
    });
    expect(found).toMatchObject({ sharedCases: 3, added: [], removed: [], changed: [] });
  });

  it('counts ties and unscored cases for neither side; more than half of repetitions decides', async () => {
    const { state, engine: opening } = openWith(cases(3));
    await using engine = await opening;
    state.rightUpTo = 3;
    const baseline = await run(engine, { repetitions: 2 });
    state.script = async ({ query, repetition }) => {
      if (query === '0') return { calls: [call('s', repetition === 1 ? 'add' : 'remove')] };
      if (query === '1') return { calls: [], stopReason: 'cut_off' };
      return { calls: [call('s', 'add')] };
    };
    const candidate = await run(engine, { repetitions: 2 });
    const {
      candidates: [found],
    } = await resultsOf(engine).compare({
      baseline: side(baseline),
      candidates: [side(candidate)],
      passedWhen: null,
    });
    expect(found).toMatchObject({ sharedCases: 1, stillRight: 1, answer: 'cannot tell' });
    expect([
      found?.tied.map(({ query }) => query),
      found?.notScored.map(({ query }) => query),
    ]).toEqual([['0'], ['1']]);
    const analysis = await resultsOf(engine).analysis({ id: candidate, modelSettingsId: null });
    expect(analysis).toMatchObject({
      repetitions: 2,
      flakyTotal: 1,
      repeatedCases: 2,
      flaky: [{ caseKey: 'case-0', n: 2, right: 1 }],
    });
    // Over cases 0 and 2: pass@1 = (½ + 1)/2, pass@2 = 1, pass^2 = ½.
    expect(analysis.passRates).toEqual([
      { k: 1, passAtK: 0.75, passAllK: 0.75, cases: 2 },
      { k: 2, passAtK: 1, passAllK: 0.5, cases: 2 },
    ]);
  });

  it('includes parameters in what counts as passed when asked to', async () => {
    await using engine = await createEngine({
      servers: {
        s: [
          { name: 'add', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
        ],
      },
      cases: [{ query: '0', expected: [{ server: 's', tool: 'add', parameters: { n: 1 } }] }],
      script: async ({ repetition }) => ({ calls: [call('s', 'add', { n: repetition })] }),
    });
    const [good, bad] = [await run(engine), await run(engine, { repetitions: 3 })];
    const compare = async (passedWhen: 'selection' | 'selection_and_parameters') =>
      (
        await resultsOf(engine).compare({
          baseline: side(good),
          candidates: [side(bad)],
          passedWhen,
        })
      ).candidates[0];
    expect(await compare('selection')).toMatchObject({ stillRight: 1 });
    expect((await compare('selection_and_parameters'))?.regressed).toHaveLength(1);
  });

  it("rejects sides that can't be compared", async () => {
    const servers = { s: tools };
    const { engine: opening } = openWith(cases(3), servers);
    await using engine = await opening;
    const baseline = await run(engine);
    const compare = (candidate: string) =>
      refused(
        resultsOf(engine).compare({
          baseline: side(baseline),
          candidates: [side(candidate)],
          passedWhen: null,
        }),
      );
    const model = (name: string) => ({
      ...engine.request().models[0],
      provider: 'builtin' as const,
      model: name,
      timeout: 30,
      temperature: 0.4,
      maxRetries: 3,
      baseUrl: null,
      replayFile: null,
    });
    const both = await run(engine, { models: [model('one'), model('two')] });
    expect(await compare(both)).toMatchObject({
      code: 'INVALID',
      data: { cause: expect.stringContaining('2 models') as string },
    });
    const other = await run(engine, { models: [model('another')] });
    expect(
      await resultsOf(engine).compare({
        baseline: side(baseline),
        candidates: [side(other)],
        passedWhen: null,
      }),
    ).toMatchObject({ candidates: [{ modelDiffers: true }] });
    servers.s = [...tools, { name: 'more' }];
    const moved = await run(engine, { models: [model('another')] });
    expect(await compare(moved)).toMatchObject({
      code: 'INVALID',
      data: { cause: expect.stringContaining('Both the model') as string },
    });
    const moreTools = await run(engine);
    expect(
      await resultsOf(engine).compare({
        baseline: side(baseline),
        candidates: [side(moreTools)],
        passedWhen: null,
      }),
    ).toMatchObject({ candidates: [{ tools: { added: ['s:more'], removed: [], changed: [] } }] });
    const suite = {
      version: 1 as const,
      name: 'else',
      servers: ['s'],
      cases: [{ id: 'x', name: 'x', query: 'x', expected_calls: [] }],
    };
    expect(await compare(await run(engine, { suiteId: null, inline: { suite } }))).toMatchObject({
      code: 'INVALID',
      data: { cause: 'They share no case.' },
    });
    expect(await compare('4711')).toMatchObject({ code: 'NOT_FOUND' });
  });
});

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
    const points = await resultsOf(engine).trend({ suite: 'suite', model: null, limit: 50 });
    expect(
      points.map(({ number, counts, tools: changes, casesChanged }) => [
        number,
        counts.tp,
        changes?.added ?? null,
        casesChanged,
      ]),
    ).toEqual([
      [1, 1, null, false],
      [2, 4, ['s:more'], false],
      [3, 4, null, false],
    ]);
    expect(points[1]?.metrics.selectionRecall).toEqual(proportion(4, 4));
    expect(
      await resultsOf(engine).trend({ suite: engine.suiteId, model: 'no such model', limit: 50 }),
    ).toEqual([]);
    expect(
      (await refused(resultsOf(engine).trend({ suite: 'nowhere', model: null, limit: 50 }))).code,
    ).toBe('NOT_FOUND');
  });
});

describe('metrics', () => {
  it('filters runs, and without a filter equals the summary of the evaluation', async () => {
    const list: FakeCase[] = [
      { query: '0', expected: right },
      { query: '1', expected: right },
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
    expect((await of({ suite: 'suite', model: 'scripted', evaluationId: '#1' })).counts.total).toBe(
      4,
    );
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

  it('costs each evaluation at its own price, with all attempts; unknown costs are null', async () => {
    const usage = (source: 'measured' | 'estimated') => ({ input: 100, output: 10, source });
    const { state, engine: opening } = openWith(cases(4));
    await using engine = await opening;
    const { evaluations } = engine.database.store;
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
      evaluations.setPrice(id, evaluations.get(id)?.modelSettingsIds[0] ?? '', price(inputUsd));
    // 100 tokens at $1,000 and $2,000 per million; the first evaluation asked one case twice.
    expect((await of({ evaluationId: cheap })).costUsd).toBeCloseTo(0.5, 12);
    expect((await of({})).costUsd).toBeCloseTo(0.5 + 0.8, 12);
    expect((await of({ server: 's' })).costUsd).toBeCloseTo(1.3, 12);
    expect(await of({ tag: 'none' })).toMatchObject({ costUsd: null, tokenSource: null });
    state.script = async ({ query }) => ({
      calls: [call('s', 'add')],
      usage: query === '0' ? null : usage('estimated'),
    });
    const untold = await run(engine);
    evaluations.setPrice(untold, evaluations.get(untold)?.modelSettingsIds[0] ?? '', price(1));
    expect(await of({})).toMatchObject({ costUsd: null, tokenSource: 'mixed' });
    expect((await of({ evaluationId: '#2' })).costUsd).toBeCloseTo(0.8, 12);
  });
});
