import { describe, expect, it } from 'vitest';
import type { ArgumentsMode } from '../../../src-shared/domain/testCase.ts';
import { call, createEngine, type Engine } from '../../testing/engine.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import { exportAs } from './exportAs.fixture.ts';

const add = {
  name: 'add',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'integer' }, unit: { type: 'string', default: 'C' } },
  },
};
/** Every case lists `a`, and every call adds `unit`. */
const openEngine = (cases = 1) =>
  createEngine({
    servers: { s: [add] },
    cases: Array.from({ length: cases }, (_, at) => ({
      query: `query ${at}`,
      expected: [{ server: 's', tool: 'add', parameters: { a: 1 } }],
    })),
    script: async () => ({ calls: [call('s', 'add', { a: 1, unit: 'C' })] }),
  });

function setModes(engine: Engine, ofSuite?: ArgumentsMode, ofCase?: ArgumentsMode): void {
  const { store } = engine.database;
  const suite = store.suites.get(engine.suiteId);
  const [first] = store.testCases.listBySuite(engine.suiteId);
  if (!suite || !first) throw new Error('There is no suite.');
  store.suites.update(suite.id, { ...suite, argumentsMode: ofSuite });
  store.testCases.update(first.id, { ...first, argumentsMode: ofCase });
}

interface Report {
  settings: { arguments_mode: string };
  runs: {
    passed: boolean;
    arguments_mode: string;
    extra_parameters: string[];
    case_hash: string;
  }[];
}
const readReport = async (engine: Engine, id: string) =>
  JSON.parse(await exportAs(engine, id, 'json')) as Report;

const modes = [undefined, 'at-least', 'exact'] as const;
const levels = modes.flatMap((ofCase) =>
  modes.flatMap((ofSuite) =>
    modes.map((ofRun) => ({
      ofCase,
      ofSuite,
      ofRun,
      decides: ofCase ?? ofSuite ?? ofRun ?? 'at-least',
    })),
  ),
);

describe('arguments mode', () => {
  it('is that of the case, else of its suite, else of the evaluation', async () => {
    await using engine = await openEngine();
    for (const { ofCase, ofSuite, ofRun, decides } of levels) {
      setModes(engine, ofSuite, ofCase);
      const id = await engine.start(ofRun && { argumentsMode: ofRun });
      await engine.drain(id);
      const report = await readReport(engine, id);
      const name = `${ofCase} in ${ofSuite} in ${ofRun}`;
      expect(report.settings.arguments_mode, name).toBe(ofRun ?? 'at-least');
      expect(report.runs, name).toMatchObject([
        {
          passed: decides === 'at-least',
          arguments_mode: decides,
          extra_parameters: decides === 'exact' ? ['unit'] : [],
        },
      ]);
      expect(verifyReport(report)?.differences, name).toEqual([]);
    }
  });

  it('is shown in reports for the evaluation and for cases that differ', async () => {
    await using engine = await openEngine(3);
    const plain = await engine.start();
    await engine.drain(plain);
    expect(await exportAs(engine, plain, 'md')).not.toContain('Arguments mode');
    const exact = await engine.start({ argumentsMode: 'exact' });
    await engine.drain(exact);
    expect(await exportAs(engine, exact, 'md')).toMatch(/Arguments mode.*exact/);
    setModes(engine, undefined, 'exact');
    const mixed = await engine.start();
    await engine.drain(mixed);
    const text = await exportAs(engine, mixed, 'md');
    expect(text).toMatch(/Arguments mode.*at-least in 2 cases, exact in 1 case/);
    const csv = await exportAs(engine, mixed, 'csv');
    expect(csv).toContain('arguments_mode,extra_parameters');
  });

  it('changes by re-scoring without a model, except where a case or suite names one', async () => {
    await using engine = await openEngine(2);
    setModes(engine, undefined, 'at-least');
    const id = await engine.start();
    await engine.drain(id);
    const passed = async () => (await readReport(engine, id)).runs.map((run) => run.passed);
    expect(await passed()).toEqual([true, true]);
    await engine.service.rescore({ id, argumentsMode: 'exact' });
    expect(await passed()).toEqual([true, false]);
    expect((await engine.service.get({ id })).settings.argumentsMode).toBe('exact');
    const { rows } = await engine.service.runs({
      id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 10,
    });
    const asked = { id, filter: {}, sort: 'position', descending: false } as const;
    const { history } = await engine.service.run({ ...asked, runId: rows[1]?.runId ?? '' });
    expect(history).toMatchObject([{ argumentsMode: 'at-least', score: { passed: true } }]);
    setModes(engine, 'exact', undefined);
    await engine.service.rescore({ id, argumentsMode: 'at-least', expectations: 'suite' });
    expect(await passed()).toEqual([false, false]);
  });

  it('of a case or suite is a part of its question, that of an evaluation is none', async () => {
    await using engine = await openEngine();
    const hashOf = async (settings?: object) => {
      const id = await engine.start(settings);
      await engine.drain(id);
      return (await readReport(engine, id)).runs[0]?.case_hash;
    };
    const plain = await hashOf();
    expect(await hashOf({ argumentsMode: 'exact' })).toBe(plain);
    setModes(engine, undefined, 'exact');
    const ofCase = await hashOf();
    expect(ofCase).not.toBe(plain);
    setModes(engine, 'exact');
    expect(await hashOf()).toBe(ofCase);
  });

  it('of a report is recounted', async () => {
    await using engine = await openEngine(2);
    const id = await engine.start({ argumentsMode: 'exact' });
    await engine.drain(id);
    const differencesOf = async (change: (report: Report) => void) => {
      const report = await readReport(engine, id);
      change(report);
      return verifyReport(report)?.differences.map(({ path }) => path);
    };
    expect(await differencesOf(() => undefined)).toEqual([]);
    expect(await differencesOf(({ settings }) => (settings.arguments_mode = 'at-least'))).toEqual([
      'models[0].conditions.arguments mode',
    ]);
    const withoutMode = await differencesOf(({ runs }) => (runs[0]!.arguments_mode = 'at-least'));
    expect(withoutMode).toContain('runs[0].extra_parameters.length');
    const withMore = await differencesOf(({ runs }) => runs[0]!.extra_parameters.push('b', 'c'));
    expect(withMore).toContain('runs[0].expected_parameters');
  });
});
