import { describe, expect, it } from 'vitest';
import {
  evaluationSettings,
  type EvaluationRequest,
} from '../../../src-shared/domain/evaluation.ts';
import { unnoticedChanges } from '../../verify/mutations.fixture.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import { call, createEngine, type Engine } from '../../testing/engine.ts';
import { exportAs, resultsOf } from './exportAs.fixture.ts';
import { openDrawn } from './recount.fixture.ts';

const settingsOf = (engine: Engine, change: object): EvaluationRequest =>
  evaluationSettings.parse({
    suiteId: engine.suiteId,
    models: [{ provider: 'builtin', model: 'scripted' }],
    concurrency: 4,
    ...change,
  });
const models = (...names: string[]) => ({
  models: names.map((model) => ({ provider: 'builtin', model })),
});

async function run(engine: Engine, change: object): Promise<string> {
  const { id } = await engine.service.start(settingsOf(engine, change));
  await engine.drain(id);
  return id;
}

async function reportOf(engine: Engine, id: string, stamp: string | null = null) {
  return JSON.parse(await exportAs(engine, id, 'json', { stamp })) as object;
}

/** What is drawn, how many cases, and how they run. */
const drawn: [seed: number, cases: number, change: object][] = [
  [1, 8, {}],
  [2, 15, { repetitions: 3 }],
  [3, 22, { repetitions: 4, ...models('a', 'b', 'c') }],
  [11, 9, { repetitions: 4 }],
  [5, 13, { repetitions: 2, ...models('a', 'b') }],
  [
    6,
    20,
    {
      gates: [
        { metric: 'pass_rate', bound: 'low', side: 'min', limit: 0.9 },
        { metric: 'selection_f1', side: 'min', limit: 0.01 },
        { metric: 'latency_ms.p95', side: 'max', limit: 0.1 },
      ],
    },
  ],
  [7, 1, { repetitions: 5 }],
  [8, 11, { gates: [{ metric: 'accuracy', side: 'min', limit: 0.5 }], ...models('a', 'b') }],
  [9, 18, { topK: 3, retriever: 'default' }],
  [10, 2, { repetitions: 12 }],
];

describe('a recount of evaluations with alternatives, order, allowed calls and errors', () => {
  it.each(drawn)(
    'agrees with report %i of %i cases, and after a resume',
    async (seed, n, change) => {
      await using engine = await openDrawn(seed, n);
      const id = await run(engine, change);
      for (const stamp of ['stamped', null]) {
        const verification = verifyReport(await reportOf(engine, id, stamp));
        expect(verification).toMatchObject({ kind: 'evaluation', differences: [] });
      }
      // The next one says what changed since.
      const second = await run(engine, change);
      expect(verifyReport(await reportOf(engine, second))?.differences).toEqual([]);
      const { state } = await engine.service.get({ id });
      if (state !== 'incomplete') return;
      await engine.service.resume({ id });
      await engine.drain(id);
      expect(verifyReport(await reportOf(engine, id))?.differences).toEqual([]);
    },
  );

  it('agrees on the order of causes and of reasons that are equally frequent', async () => {
    // By code units, the first name is before the second one; by bytes, it is after it.
    const names = ['\u{1f600}', '\uff5e'];
    const errors = ['b', 'a'];
    await using engine = await createEngine({
      servers: { s: [{ name: 'other' }, ...names.map((name) => ({ name }))] },
      cases: [
        ...[...names].reverse().map((tool) => ({ query: tool, expected: [{ server: 's', tool }] })),
        { query: 'fail', expected: [] },
      ],
      script: async ({ query }) => {
        if (query === 'fail') throw new Error(errors.pop());
        return { calls: [call('s', 'other')] };
      },
    });
    const id = await run(engine, { repetitions: 2, concurrency: 1 });
    const report = await reportOf(engine, id);
    expect(report).toMatchObject({
      verdict: { causes: names.map((name) => ({ expected: `s:${name}` })) },
      unscored: [{ runs: 1 }, { runs: 1 }],
    });
    expect(verifyReport(report)?.differences).toEqual([]);
  });

  it('agrees with a report of an evaluation that was canceled', async () => {
    await using engine = await openDrawn(4, 30);
    const { id } = await engine.service.start(settingsOf(engine, { concurrency: 1 }));
    await engine.service.cancel({ id });
    await engine.drain(id);
    expect(verifyReport(await reportOf(engine, id))?.differences).toEqual([]);
  });

  it('finds each changed value of a report, or says that it does not check it', async () => {
    await using engine = await openDrawn(6, 5);
    const id = await run(engine, drawn[5]?.[2] ?? {});
    expect(unnoticedChanges(await reportOf(engine, id), 2)).toEqual([]);
  });
});

describe('a recount of unreadable arguments', () => {
  it('agrees on correctness, the accuracy of all arguments and the Arguments tab', async () => {
    const tool = (name: string) => ({ server: 's', tool: name });
    const title = { parameters: { title: 'x' } };
    await using engine = await createEngine({
      servers: {
        s: ['add', 'list'].map((name) => ({
          name,
          inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
        })),
      },
      cases: [
        { query: 'nothing is expected', expected: [tool('list')] },
        { query: 'a title is expected', expected: [{ ...tool('add'), ...title }] },
        { query: 'one of two is right', expected: [{ ...tool('add'), ...title }, tool('list')] },
        { query: 'read', expected: [{ ...tool('add'), ...title }] },
      ],
      script: async ({ query }) => {
        const unreadable = (name: string) => ({
          ...call('s', name),
          arguments: null,
          argumentsText: '{"title": "x',
        });
        if (query === 'read') return { calls: [call('s', 'add', { title: 'x' })] };
        if (query === 'a title is expected') return { calls: [unreadable('add')] };
        return {
          calls: [
            unreadable('list'),
            ...(query === 'one of two is right' ? [call('s', 'add', { title: 'x' })] : []),
          ],
        };
      },
    });
    const id = await run(engine, {});
    const report = await reportOf(engine, id);
    expect(verifyReport(report)?.differences).toEqual([]);
    expect(report).toMatchObject({
      metrics: { pass_rate: { value: 1 / 4 }, parameter_accuracy: { value: 2 / 5, n: 5 } },
      runs: [
        { parameter_correctness: 0, matched_parameters: 0, expected_parameters: 1 },
        { parameter_correctness: 0, matched_parameters: 0, expected_parameters: 1 },
        { parameter_correctness: 1 / 2, matched_parameters: 1, expected_parameters: 2 },
        { parameter_correctness: 1, matched_parameters: 1, expected_parameters: 1 },
      ],
    });
    const { parameters } = await resultsOf(engine).analysis({ id, modelSettingsId: null });
    expect(
      parameters.map(({ name, n, matched, unreadable }) => [name, n, matched, unreadable]),
    ).toEqual([
      ['title', 3, 2, 1],
      ['(arguments)', 2, 0, 2],
    ]);
  });
});
