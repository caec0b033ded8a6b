import { describe, expect, it } from 'vitest';
import { call, createEngine } from '../../testing/engine.ts';
import { tools, cases, side, openWith, resultsOf, run, refused } from './results.fixture.ts';

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
    expect(passedWhen).toBe('selection_and_parameters');
    expect(found).toMatchObject({
      sharedCases: 20,
      stillRight: 11,
      baselineRight: { value: 12 / 20, n: 20 },
      candidateRight: { value: 18 / 20, n: 20 },
      passShares: [
        { baseline: 0, candidate: 0, cases: 1, baselineRuns: 1, candidateRuns: 1 },
        { baseline: 0, candidate: 1, cases: 7 },
        { baseline: 1, candidate: 0, cases: 1 },
        { baseline: 1, candidate: 1, cases: 11 },
      ],
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

  it('lists ties and unscored cases, and counts every scored repetition in the difference', async () => {
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
    expect(found).toMatchObject({
      sharedCases: 2,
      stillRight: 1,
      answer: 'cannot tell',
      // Case 0 fell from 2 of 2 to 1 of 2, case 2 stayed at 2 of 2.
      difference: { value: -0.25 },
      passShares: [
        { baseline: 1, candidate: 0.5, cases: 1, baselineRuns: 2, candidateRuns: 2 },
        { baseline: 1, candidate: 1, cases: 1 },
      ],
    });
    expect([
      found?.tied.map(({ query }) => query),
      found?.notScored.map(({ query }) => query),
    ]).toEqual([['0'], ['1']]);
    const analysis = await resultsOf(engine).analysis({ id: candidate, modelSettingsId: null });
    const { selection_and_parameters: repeated } = analysis.repeated;
    expect(repeated).toMatchObject({
      repetitions: 2,
      flakyTotal: 1,
      repeatedCases: 2,
      flaky: [{ caseKey: 'case-0', n: 2, passed: 1 }],
    });
    // Over cases 0 and 2: pass@1 = (½ + 1)/2, pass@2 = 1, pass^2 = ½.
    const tooFew = { passAtKInterval: null, passAllKInterval: null };
    expect(repeated.passRates).toEqual([
      { k: 1, passAtK: 0.75, passAllK: 0.75, cases: 2, ...tooFew },
      { k: 2, passAtK: 1, passAllK: 0.5, cases: 2, ...tooFew },
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

  it('gives each parameter an interval over cases, not calls', async () => {
    await using engine = await createEngine({
      servers: {
        s: [
          { name: 'add', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
        ],
      },
      cases: Array.from({ length: 20 }, (_, at) => ({
        query: `${at}`,
        expected: [{ server: 's', tool: 'add', ...(at < 18 ? { parameters: { n: 1 } } : {}) }],
      })),
      script: async ({ query }) => ({
        calls: [call('s', 'add', { n: Number(query) < 6 ? 2 : 1 })],
      }),
    });
    const id = await run(engine, { repetitions: 3 });
    const { parameters } = await resultsOf(engine).analysis({ id, modelSettingsId: null });
    const { metrics } = await engine.service.summary({ id, modelSettingsId: null });
    expect(parameters).toMatchObject([
      { toolId: 's:add', name: 'n', n: 54, matched: 36, wrongValue: 18, notScored: 6 },
    ]);
    expect(parameters[0]?.accuracy).toEqual(metrics.parameterAccuracy);
    expect(metrics.passRate).toMatchObject({ value: 42 / 60, n: 60 });
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
      data: { cause: 'They have no cases in common.' },
    });
    expect(await compare('4711')).toMatchObject({ code: 'NOT_FOUND' });
  });
});
