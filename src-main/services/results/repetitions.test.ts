import { describe, expect, it } from 'vitest';
import { call, createEngine } from '../../testing/engine.ts';
import { resultsOf, run } from './results.fixture.ts';

const number = { type: 'object', properties: { n: { type: 'number' } } };

const expecting = (query: string, tool = 'add') => ({
  query,
  expected: [{ server: 's', tool, parameters: { n: 1 } }],
});

describe('repetitions', () => {
  it('counts what the pass rate counts as passed, and tools alone under their own name', async () => {
    await using engine = await createEngine({
      servers: { s: [{ name: 'add', inputSchema: number }, { name: 'remove' }] },
      cases: ['steady', 'arguments', 'tools', 'wrong'].map((query) => expecting(query)),
      script: async ({ query, repetition }) => ({
        calls: [
          query === 'tools' && repetition === 2
            ? call('s', 'remove')
            : call('s', 'add', {
                n: query === 'wrong' || (query === 'arguments' && repetition > 1) ? 2 : 1,
              }),
        ],
      }),
    });
    const id = await run(engine, { repetitions: 3 });
    const { repeated } = await resultsOf(engine).analysis({ id, modelSettingsId: null });
    const { metrics } = await engine.service.summary({ id, modelSettingsId: null });
    const { selection_and_parameters: passed, selection: toolsOnly } = repeated;
    // steady 3 of 3, arguments 1 of 3, tools 2 of 3, wrong 0 of 3.
    expect(passed).toMatchObject({ repetitions: 3, repeatedCases: 4, flakyTotal: 2 });
    expect(passed.flaky.map(({ caseKey, n, passed: count }) => [caseKey, n, count])).toEqual([
      ['case-1', 3, 1],
      ['case-2', 3, 2],
    ]);
    expect(passed.passRates).toMatchObject([
      { k: 1, passAtK: 0.5, passAllK: 0.5, cases: 4 },
      // pass@2: 1, 1 − C(2,2)/C(3,2), 1, 0. pass^2: 1, 0, C(2,2)/C(3,2), 0.
      {
        k: 2,
        passAtK: expect.closeTo(2 / 3, 12) as number,
        passAllK: expect.closeTo(1 / 3, 12) as number,
        cases: 4,
      },
      { k: 3, passAtK: 0.75, passAllK: 0.25, cases: 4 },
    ]);
    expect(passed.passRates[0]?.passAtK).toBe(metrics.passRate.value);
    expect(toolsOnly.flaky.map(({ caseKey, n, passed: count }) => [caseKey, n, count])).toEqual([
      ['case-2', 3, 2],
    ]);
    expect(toolsOnly.passRates.at(-1)).toMatchObject({
      k: 3,
      passAtK: 1,
      passAllK: 0.75,
      cases: 4,
    });
    expect(toolsOnly.passRates[0]?.passAtK).toBeCloseTo(metrics.accuracy.value ?? 9, 12);
  });

  it('opens a flaky case at a run that failed', async () => {
    await using engine = await createEngine({
      servers: { s: [{ name: 'add', inputSchema: number }] },
      cases: [expecting('arguments')],
      script: async ({ repetition }) => ({ calls: [call('s', 'add', { n: repetition })] }),
    });
    const id = await run(engine, { repetitions: 3 });
    const { repeated } = await resultsOf(engine).analysis({ id, modelSettingsId: null });
    const [flaky] = repeated.selection_and_parameters.flaky;
    const { rows } = await engine.service.runs({
      id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 10,
    });
    expect(rows.find(({ runId }) => runId === flaky?.runId)).toMatchObject({ passed: false });
    expect(repeated.selection.flaky).toEqual([]);
  });

  it('leaves out runs of which it is unknown whether they passed', async () => {
    await using engine = await createEngine({
      servers: { s: [{ name: 'add', inputSchema: number }, { name: 'remove' }] },
      cases: [expecting('undecided'), expecting('sometimes')],
      script: async ({ query, repetition }) => ({
        calls: [
          query === 'sometimes' && repetition > 1
            ? call('s', 'remove')
            : call('s', 'add', { n: 1 }),
        ],
      }),
    });
    const id = await run(engine, { repetitions: 3 });
    // As if the schema could not decide: right tools, but nobody knows whether the run passed.
    engine.database.db.exec('UPDATE evaluation_results SET passed = NULL WHERE passed = 1');
    const { repeated } = await resultsOf(engine).analysis({ id, modelSettingsId: null });
    expect(repeated.selection_and_parameters).toMatchObject({
      repetitions: 2,
      repeatedCases: 1,
      flakyTotal: 0,
      passRates: [
        { k: 1, passAtK: 0, cases: 1 },
        { k: 2, passAtK: 0, cases: 1 },
      ],
    });
    expect(repeated.selection).toMatchObject({ repetitions: 3, repeatedCases: 2, flakyTotal: 1 });
  });
});
