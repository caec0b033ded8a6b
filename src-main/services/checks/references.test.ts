import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgementLines } from '../../../src-shared/display/judgementTexts.ts';
import { passedWhen } from '../../../src-shared/domain/comparison.ts';
import { fromSuiteFile } from '../suites/suiteFileCodec.ts';
import { judgementParts } from '../reports/subjects/judgementTables.ts';
import { judgeReport, mismatches, noReferences, type References } from './judgeReports.ts';
import { formerHashes, renameInSuiteFile } from './renames.ts';
import { readCasesReport } from './reportFile.ts';
import { toAskAgain } from './repetitions.ts';
import type { NamedReport } from './reportSides.ts';

interface Row {
  id: string;
  tool: string;
  /** Null: its tool was not offered. */
  passed: boolean | null;
  hash?: string;
}
interface Options {
  tools?: Record<string, string>;
  trend?: object[];
  rate?: number;
}

const number = { value: null, low: null, high: null, n: 0 };
const eight = Array.from({ length: 8 }, (_, at) => at);
/** Cases of one tool, of which the first ones pass. */
const cases = (tool: string, passed: number, of = 8): Row[] =>
  eight.slice(0, of).map((at) => ({ id: `${tool}-${at}`, tool, passed: at < passed }));

function report(name: string, rows: readonly Row[], options: Options = {}): NamedReport {
  const tools = options.tools ?? Object.fromEntries(rows.map(({ tool }) => [tool, `text ${tool}`]));
  const numbers = {
    counts: { failed: rows.filter(({ passed }) => passed === null).length, open: 0, total: 0 },
    metrics: { pass_rate: { ...number, value: options.rate ?? null, n: rows.length } },
    latency_ms: { p50: null, p95: null },
    tokens: { input: null, output: null },
    cost_usd: null,
  };
  const document = {
    format: 'touchstone-evaluation',
    version: 2,
    ...{ evaluation_id: name, number: 1, suite: 'mail', snapshot_id: null, duration_ms: null },
    created_at: '2026-05-01T10:00:00.000Z',
    settings: { repetitions: 1, top_k: null },
    tools: Object.entries(tools).map(([tool, text]) => ({
      tool_id: `s:${tool}`,
      hash: `${tool} ${text}`,
      text_hash: text,
    })),
    ...numbers,
    ...(options.trend && { check: { trend: options.trend } }),
    models: [
      { id: 'm', label: 'small', provider: 'openai', model: 'small', conditions: {}, ...numbers },
    ],
    runs: rows.map(({ id, tool, passed, hash }) => ({
      ...{ run_id: id, case_id: id, case_hash: hash ?? `hash ${id}`, name: id, query: id },
      ...{ model_id: 'm', repetition: 1, passed, expected: [`s:${tool}`], called: [] },
      differences: [],
      outcome: passed === null ? 'not_scored' : passed ? 'passed' : 'wrong_tool',
      classification: passed === null ? null : 'TP',
      failure: passed === null ? 'tool_not_offered' : null,
    })),
  };
  return { name, isFile: true, report: readCasesReport(document) };
}

const how = {
  ...{ thresholds: [], tolerances: new Map<string, number>(), maxBroken: null, allowFailed: 0 },
  ...{ allowChangedCases: false, pooled: false },
  when: passedWhen.enum.selection_and_parameters,
};
const judged = (now: NamedReport, references: Partial<References>, options = {}) =>
  judgeReport(now, { ...noReferences, ...references }, { ...how, ...options }, []);

/** A model that fails four cases of ten on either side, so that its noise hides one tool. */
const noise = (side: 0 | 1): Row[] =>
  ['a', 'b', 'c', 'd'].flatMap((tool) =>
    eight.map((at) => ({
      id: `${tool}-${at}`,
      tool,
      passed: at < 4 ? at % 2 === side : true,
    })),
  );

it('finds one ruined tool that the noise of a suite hides', () => {
  const before = report('before.json', [...noise(0), ...cases('print', 8)]);
  const result = judged(report('now', [...noise(1), ...cases('print', 1)]), { baseline: before });
  const [comparison] = result.baseline?.comparisons ?? [];
  expect(comparison).toMatchObject({ outcome: 'passed', candidate: { answer: 'cannot tell' } });
  expect(comparison?.perTool.filter(({ worse }) => worse)).toMatchObject([
    { tool: 's:print', baseline: { passed: 8, scored: 8 }, now: { passed: 1, scored: 8 } },
  ]);
  expect(result.result).toBe('failed');
  expect(judgementLines(result)).toContain('s:print: 1 of 8 passed, 8 of 8 before, p 0.016');
});

it('lets a fixed limit on the pass rate replace the tests of tools', () => {
  const before = report('before.json', [...noise(0), ...cases('print', 8)], { rate: 0.8 });
  const now = report('now', [...noise(1), ...cases('print', 1)], { rate: 0.7 });
  const tolerances = new Map([['pass_rate', 0.2]]);
  expect(judged(now, { baseline: before }, { tolerances }).result).toBe('passed');
});

it('fails a removed tool that cases expect, and names one with the same text', () => {
  const before = report('before.json', [...cases('keep', 8), ...cases('print', 3, 4)]);
  const rows = [
    ...cases('keep', 8),
    ...cases('print', 0, 4).map((row) => ({ ...row, passed: null })),
  ];
  const tools = { keep: 'text keep' };
  const gone = judged(report('now', rows, { tools }), { baseline: before });
  expect(gone).toMatchObject({ result: 'failed', unscoredRuns: 0 });
  expect(judgementLines(gone)).toContain(
    's:print is no longer offered, and 4 cases expect it: 3 of 4 passed before.',
  );
  const renamed = report('now', rows, { tools: { ...tools, label: 'text print' } });
  expect(judged(renamed, { baseline: before }).baseline?.removedTools).toMatchObject([
    { tool: 's:print', passedInBaseline: 3, likelyNewName: 's:label' },
  ]);
  // Without a baseline that offered it, nobody knows of the tool.
  expect(judged(renamed, {}).result).toBe('incomplete');
});

const suiteFile = {
  version: 1 as const,
  name: 'mail',
  servers: ['s'],
  cases: [
    {
      ...{ id: 'one', name: 'one', query: 'Print it' },
      expected_calls: [
        { server: 's', tool: 'print', parameters: { tool: 'print' } },
        {
          any_of: [
            { server: 's', tool: 'print' },
            { server: 't', tool: 'print' },
          ],
          parameters: {},
        },
      ],
      allowed_calls: [{ server: 's', tool: 'print' }],
    },
    {
      ...{ id: 'task', name: 'task', turns: ['Print it'] },
      checks: [{ calls: { must: ['print', 's:print'], never: ['s:wipe'] } }],
    },
  ],
};

it.each([
  ['print', 'label', 's:print', 's:label'],
  ['s:print', 's:label', 's:print', 's:label'],
  ['s:print', 'label', 's:print', 's:label'],
])('pairs cases across the rename of %s to %s', (old, now) => {
  const renames = new Map([[old, now]]);
  const original = formerHashes(fromSuiteFile(suiteFile as never), new Map([['x', 'y']]));
  const follows = renameInSuiteFile(suiteFile as never, renames);
  const text = JSON.stringify(follows);
  expect(text).toContain('"tool":"label"');
  // Arguments are not names of tools.
  expect(text).toContain('"parameters":{"tool":"print"}');
  const former = formerHashes(fromSuiteFile(follows), renames);
  expect(former.get('one')).toBe(original.get('one'));

  const hash = original.get('one') ?? '';
  const before = report('before.json', [{ id: 'one', tool: 'print', passed: true, hash }]);
  const after = report('now', [{ id: 'one', tool: 'label', passed: true, hash: 'other' }], {
    tools: { label: 'text print' },
  });
  expect(mismatches(before, after, how)).toHaveLength(1);
  expect(mismatches(before, after, how, { renames, former })).toEqual([]);
  const { baseline } = judged(after, { baseline: before, renames: { renames, former } });
  expect(baseline?.renamed).toEqual([{ from: 's:print', to: 's:label' }]);
  expect(baseline?.comparisons[0]?.candidate).toMatchObject({
    sharedCases: 1,
    tools: { added: [], removed: [], changed: [] },
  });
});

it('pairs cases of two reports across a rename by their id, query and expected tools', () => {
  const before = report('before.json', [
    { id: 'one', tool: 'print', passed: true, hash: 'old one' },
    { id: 'two', tool: 'keep', passed: true, hash: 'old two' },
  ]);
  const tools = { label: 'text print', keep: 'text keep' };
  const renames = { renames: new Map([['print', 'label']]), former: new Map() };
  const now = (two: string, id = 'one') =>
    report(
      'now.json',
      [
        { id, tool: 'label', passed: true, hash: 'new one' },
        { id: 'two', tool: 'keep', passed: true, hash: two },
      ],
      { tools },
    );
  expect(mismatches(before, now('old two'), how)).not.toEqual([]);
  expect(mismatches(before, now('old two'), how, renames)).toEqual([]);
  // A case without a renamed tool, or with another question, is another case.
  expect(mismatches(before, now('new two'), how, renames)).not.toEqual([]);
  expect(mismatches(before, now('old two', 'other'), how, renames)).not.toEqual([]);
});

describe('a check that asked again', () => {
  type Runs = (boolean | null)[];
  /** The first repetition of each case is in the report; the others were asked again. */
  const asked = (all: Runs[]): NamedReport => {
    const now = report(
      'now.json',
      all.map(([passed = null], at) => ({ id: `${at}`, tool: 'print', passed })),
    );
    const runs = all.flatMap((own, at) =>
      own.slice(1).map((passed, more) => ({
        ...{ run_id: `${at}-${more}`, case_id: `${at}`, model_id: 'm', repetition: more + 2 },
        ...{ passed, failure: null, called: [], differences: [] },
      })),
    );
    now.report.askedAgain = { up_to: 3, runs };
    return now;
  };
  const repeated = (all: Runs[]): NamedReport => {
    const base = report('base.json', []);
    const of = asked(all).report;
    const again = new Map(of.runs.map((run) => [run.case_id, run]));
    base.report.settings.repetitions = 3;
    base.report.tools = of.tools;
    base.report.runs = [
      ...of.runs,
      ...(of.askedAgain?.runs ?? []).flatMap((run) => {
        const known = again.get(run.case_id);
        return known ? [{ ...known, repetition: run.repetition, passed: run.passed }] : [];
      }),
    ];
    return base;
  };
  const differences = (before: Runs[], now: Runs[]) =>
    judged(asked(now), {
      baseline: repeated(before),
    }).baseline?.comparisons[0]?.candidate.passShares.map(({ baseline, candidate, cases }) => ({
      baseline,
      candidate,
      cases,
    }));

  it('counts every repetition of a case whose first ones disagree, and only the first of others', () => {
    const before = [
      [true, true, false],
      [true, false, false],
      [false, true, true],
    ];
    const now = [[false, false, false], [true], [false]];
    expect(differences(before, now)).toEqual([
      { baseline: 0, candidate: 0, cases: 1 },
      { baseline: 2 / 3, candidate: 0, cases: 1 },
      { baseline: 1, candidate: 1, cases: 1 },
    ]);
  });

  it('leaves out a repetition that one side did not score', () => {
    expect(differences([[true, null, true]], [[false, true, false]])).toEqual([
      { baseline: 1, candidate: 0, cases: 1 },
    ]);
  });

  it('turns each difference around if the sides change places', () => {
    const side = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), {
      ...{ minLength: 6, maxLength: 6 },
    });
    const sum = (shares: ReturnType<typeof differences>) =>
      (shares ?? []).reduce((total, one) => total + one.cases * (one.candidate - one.baseline), 0);
    fc.assert(
      fc.property(side, side, (one, other) => {
        expect(sum(differences(one, other))).toBeCloseTo(-sum(differences(other, one)), 9);
      }),
      { numRuns: 50 },
    );
  });

  it('asks again what disagrees with a baseline that has further repetitions', () => {
    const baseline = repeated([
      [true, true, true],
      [true, true, true],
      [false, false, false],
    ]);
    const now = asked([[false], [true], [true]]);
    const ask = (upTo: number) => toAskAgain([{ baseline, now }], upTo, how.when);
    expect(ask(5)).toEqual([{ modelId: 'm', keys: ['0', '2'], upTo: 3 }]);
    expect(ask(2)).toMatchObject([{ upTo: 2 }]);
    baseline.report.settings.repetitions = 1;
    expect(ask(5)).toEqual([]);
  });
});

it('says of changed and removed cases how many passed before and pass now', () => {
  const kept = cases('keep', 8);
  const before = report('before.json', [...kept, ...cases('edit', 8), ...cases('gone', 1, 3)]);
  const edited = cases('edit', 1).map((row) => ({ ...row, hash: `new ${row.id}` }));
  const result = judged(
    report('now', [...kept, ...edited]),
    { baseline: before },
    {
      allowChangedCases: true,
    },
  );
  expect(judgementLines(result)).toEqual(
    expect.arrayContaining([
      'Fewer changed cases pass: 1 of 8 passed, 8 of 8 before, p 0.016',
      'Changed cases: 1 of 8 passed, 8 of 8 before, p 0.016 (8 cases)',
      'Removed cases: 1 passed in the baseline, 2 did not: gone-1, gone-2',
    ]),
  );
  expect(result.result).toBe('failed');
});

it('finds slow erosion by a fixed reference, and keeps the last ten baselines', () => {
  const release = report('release.json', cases('print', 8), { rate: 1 });
  const point = { created_at: null, cases_hash: 'other', cases: 3, models: [] };
  const newest = report('newest.json', cases('print', 2), {
    rate: 0.25,
    trend: Array.from({ length: 12 }, () => point),
  });
  const now = report('now', cases('print', 1));
  expect(judged(now, { baseline: newest }).result).toBe('passed');
  const result = judged(now, { baseline: newest, release });
  expect(result).toMatchObject({ result: 'failed', release: { name: 'release.json' } });
  // Those of this change first, then those that broke before and add up.
  expect(judgementLines(result).filter((line) => line.startsWith('Broken'))).toEqual([
    'Broken: print-1',
    'Broken since release.json: print-2, print-3, print-4, print-5, print-6, print-7',
  ]);
  const tables = judgementParts(result).flatMap((part) => ('title' in part ? [part.title] : []));
  expect(tables.slice(0, 2)).toEqual(['Broken cases', 'Broken cases since the release']);
  expect(result.trend).toHaveLength(10);
  expect(result.trend?.at(-1)).toMatchObject({
    cases: 8,
    models: [{ model: 'small', passRate: 0.25, n: 8 }],
  });
});

it('lists the cases of a release that is the only baseline, and none of one that is not worse', () => {
  const release = report('release.json', cases('print', 8));
  const broken = (rows: Row[], references: Partial<References>) =>
    judgementLines(judged(report('now', rows), references)).filter((line) =>
      line.startsWith('Broken'),
    );
  expect(broken(cases('print', 7), { release })).toEqual(['Broken since release.json: print-7']);
  const baseline = report('newest.json', cases('print', 7));
  expect(broken(cases('print', 7), { baseline, release })).toEqual([]);
});

it('says that there is nothing to compare with, only where a verdict was asked for', () => {
  const now = report('now', cases('print', 8));
  expect(judgementLines(judged(now, {}, { isCheck: true }))).toEqual([
    'Check passed: nothing to compare with yet',
  ]);
  expect(judgementLines(judged(now, {}))).toEqual(['Check passed']);
});

it('does not give that as the reason where there is no verdict', () => {
  const rows = cases('print', 8).map((row) => ({ ...row, passed: null }));
  expect(judgementLines(judged(report('now', rows), {}, { isCheck: true }))).toEqual([
    'No verdict',
    '8 runs are not scored',
  ]);
});
