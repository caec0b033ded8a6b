import { describe, expect, it } from 'vitest';
import {
  evaluationSettings,
  type EvaluationRequest,
} from '../../../src-shared/domain/evaluation.ts';
import { unnoticedChanges } from '../../verify/mutations.fixture.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import type { Engine } from '../../testing/engine.ts';
import { exportAs } from './exportAs.fixture.ts';
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
  // Causes of one size whose names differ in order by code units and by bytes.
  [2, 15, { repetitions: 3 }],
  [3, 22, { repetitions: 4, ...models('a', 'b', 'c') }],
  // Two reasons without a score of one size in one case.
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

  it('agrees with a report of an evaluation that was canceled', async () => {
    await using engine = await openDrawn(4, 30);
    const { id } = await engine.service.start(settingsOf(engine, { concurrency: 1 }));
    await engine.service.cancel({ id });
    await engine.drain(id);
    expect(verifyReport(await reportOf(engine, id))?.differences).toEqual([]);
  });

  it.each([drawn[1], drawn[5]])(
    'finds each changed value of report %i, or says that it does not check it',
    async (seed = 0, _n, change = {}) => {
      await using engine = await openDrawn(seed, 5);
      const id = await run(engine, change);
      expect(unnoticedChanges(await reportOf(engine, id))).toEqual([]);
    },
    120_000,
  );
});

describe('a recount of unreadable arguments', () => {
  it('agrees on correctness, the accuracy of all arguments and the Arguments tab', async () => {
    await using engine = await openDrawn(12, 40);
    const id = await run(engine, { repetitions: 2 });
    const report = (await reportOf(engine, id)) as {
      metrics: { parameter_accuracy: { value: number; n: number } };
      runs: { classification: string; matched_parameters: number; expected_parameters: number }[];
    };
    expect(verifyReport(report)?.differences).toEqual([]);
    const store = engine.database.store;
    const rows = store.resultQueries.parameters(id, null);
    const sum = (of: (row: (typeof rows)[number]) => number) =>
      rows.reduce((total, row) => total + row.cases * of(row), 0);
    const expected = report.runs
      .filter(({ classification }) => classification === 'TP')
      .reduce((total, one) => total + one.expected_parameters, 0);
    expect(sum(({ unreadable }) => unreadable)).toBeGreaterThan(3);
    expect(report.metrics.parameter_accuracy.n).toBe(expected);
    expect(report.metrics.parameter_accuracy.value).toBeCloseTo(
      sum(({ matched }) => matched) / expected,
      12,
    );
    const unreadable = report.runs.filter(
      (one) => one.classification === 'TP' && one.expected_parameters > one.matched_parameters,
    );
    expect(unreadable.length).toBeGreaterThan(3);
  });
});
