import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import type { Classification } from '../domain/score.ts';
import { proportion } from './intervals.ts';
import { countCategories, summarize, type MetricRow } from './summary.ts';
import { summarizeToolsOf } from './toolSummary.ts';

function row(
  testCaseId: string,
  classification: Classification | null,
  matchedParameters = 0,
  expectedParameters = 0,
): MetricRow {
  const [expected, selected] = {
    TP: ['s:a', 's:a'],
    FN: ['s:a', 's:b'],
    FP: [NO_TOOL, 's:b'],
    TN: [NO_TOOL, NO_TOOL],
  }[classification ?? 'TN'] as [string, string];
  return {
    testCaseId,
    classification,
    passed:
      classification === null
        ? null
        : classification === 'TN' ||
          (classification === 'TP' && matchedParameters === expectedParameters),
    units: classification === null ? [] : [{ expected, selected }],
    matchedParameters,
    expectedParameters,
  };
}

/** Counts of one run over the tools a, b and phantom: expected label, selected label. */
const matrixRows: MetricRow[] = [
  ['b:y', 'b:y'],
  ['b:y', 'a:x'],
  ['a:x', NO_TOOL],
  ['a:x', PHANTOM],
  ['a:x', 'a:x'],
  [NO_TOOL, 'b:y'],
  [NO_TOOL, NO_TOOL],
  [NO_TOOL, PHANTOM],
].map(([expected = '', selected = ''], at) => ({
  ...row(String(at), 'FN'),
  units: [{ expected, selected }],
}));

describe('summarize', () => {
  const once = [
    row('1', 'TP', 2, 3),
    row('2', 'TP', 1, 1),
    row('3', 'FN', 9, 9),
    row('4', 'FP'),
    row('5', 'TN'),
    row('6', null, 5, 5),
  ];

  it('divides by the right counts, without failed runs and parameters of other runs than TP', () => {
    const metrics = summarize(once);
    const shown = Object.entries(metrics).map(([name, { value, n }]) => [name, value, n]);
    expect(shown).toEqual([
      ['passRate', 2 / 5, 5],
      ['selectionPrecision', 2 / 4, 4],
      ['selectionRecall', 2 / 3, 3],
      ['selectionF1', 4 / 7, 5],
      ['precision', 2 / 3, 3],
      ['recall', 2 / 3, 3],
      ['f1Score', 4 / 6, 4],
      ['accuracy', 3 / 5, 5],
      ['parameterAccuracy', 3 / 4, 4],
    ]);
  });

  it('counts wrong tools and phantoms against precision', () => {
    // Diagonal 2; tool and phantom columns: a:x 2, b:y 2, phantom 2; tool rows: a:x 3, b:y 2.
    const { selectionPrecision, selectionRecall, selectionF1 } = summarize(matrixRows);
    expect(selectionPrecision).toMatchObject({ value: 2 / 6, n: 6 });
    expect(selectionRecall).toMatchObject({ value: 2 / 5, n: 5 });
    expect(selectionF1).toMatchObject({ value: 4 / 11, n: 9 });
  });

  it('leaves runs of which nobody knows whether they passed out of the pass rate', () => {
    const undecided = { ...row('7', 'TP', 1, 1), passed: null };
    expect(summarize([...once, undecided]).passRate).toMatchObject({ value: 2 / 5, n: 5 });
    expect(summarize([undecided]).passRate).toEqual({ value: null, low: null, high: null, n: 0 });
  });

  it('passes a case that expects no tool and calls none', () => {
    expect(summarize([row('5', 'TN')]).passRate).toMatchObject({ value: 1, n: 1 });
  });

  it('gives 20 cases × 5 equal runs the interval of 20 cases', () => {
    const repeat = (times: number) =>
      Array.from({ length: 20 * times }, (_, index) =>
        row(String(index % 20), index % 20 < 10 ? 'TP' : 'FN'),
      );
    const [one, five] = [summarize(repeat(1)), summarize(repeat(5))];
    expect(five.accuracy).toMatchObject({ value: 0.5, n: 100 });
    for (const name of ['accuracy', 'recall', 'f1Score', 'selectionF1', 'passRate'] as const) {
      expect([name, five[name].low]).toEqual([name, expect.closeTo(one[name].low ?? 9, 12)]);
      expect([name, five[name].high]).toEqual([name, expect.closeTo(one[name].high ?? 9, 12)]);
    }
  });

  it('returns null values when no run was scored', () => {
    for (const estimate of Object.values(summarize([row('1', null)])))
      expect(estimate).toEqual({ value: null, low: null, high: null, n: 0 });
  });

  it('is independent of the order of 10,000 runs', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      row(String(index), index % 5 === 0 ? 'FN' : 'TP', index % 3, 3),
    );
    expect(summarize(rows).parameterAccuracy.n).toBe(24_000);
    expect(summarize(rows)).toEqual(summarize([...rows].reverse()));
  });
});

describe('summarizeToolsOf', () => {
  it('computes per-tool intervals over cases, not repetitions', () => {
    const rows = Array.from({ length: 100 }, (_, index) =>
      row(String(index % 20), index % 20 < 10 ? 'TP' : 'FN'),
    );
    const [a, b] = summarizeToolsOf(rows, ['s:c']).perTool;
    expect(a).toMatchObject({
      toolId: 's:a',
      tp: 50,
      fn: 50,
      fp: 0,
      precision: { value: 1, low: proportion(10, 10).low, high: 1 },
    });
    expect(a?.recall).toEqual(summarize(rows).recall);
    expect(b).toMatchObject({ toolId: 's:b', tp: 0, fp: 50, fn: 0, recall: { value: null } });
  });

  it('gives a tool the same intervals however many cases don’t touch it', () => {
    const touching = Array.from({ length: 12 }, (_, at) => row(`${at}`, at < 8 ? 'TP' : 'FN'));
    const others = Array.from({ length: 500 }, (_, at) => row(`other ${at}`, 'TN'));
    const [alone] = summarizeToolsOf(touching).perTool;
    expect(summarizeToolsOf([...touching, ...others]).perTool[0]).toEqual(alone);
    expect(alone?.recall).toMatchObject({ low: expect.any(Number) as number, n: 12 });
  });

  it('has no interval for a tool that fewer than five cases touch', () => {
    const rows = Array.from({ length: 40 }, (_, at) => row(`${at}`, at < 4 ? 'TP' : 'TN'));
    expect(summarizeToolsOf(rows).perTool[0]?.recall).toEqual({
      value: 1,
      low: null,
      high: null,
      n: 4,
    });
  });

  it('gives one-versus-rest counts for each tool, with an empty row for a tool nobody names', () => {
    const [x, y, never] = summarizeToolsOf(matrixRows, ['c:never']).perTool;
    expect(x).toMatchObject({ toolId: 'a:x', tp: 1, fp: 1, fn: 2, recall: { value: 1 / 3 } });
    expect(y).toMatchObject({ toolId: 'b:y', tp: 1, fp: 1, fn: 1, f1Score: { value: 0.5 } });
    expect(never).toMatchObject({ toolId: 'c:never', tp: 0, precision: { value: null } });
  });
});

describe('countCategories', () => {
  it('counts categories by method, that of most runs first, and never mixes methods', () => {
    expect(
      countCategories([
        ['margin', 'misleading', 1],
        ['agreement', 'robust', 2],
        ['agreement', 'wrong_low', 1],
        ['agreement', 'needs_clarity', 1],
        ['margin', 'robust', 2],
        [null, 'unmeasured', 1],
      ]),
    ).toEqual({
      method: 'agreement',
      robust: 2,
      needsClarity: 1,
      misleading: 0,
      wrongLow: 1,
      unmeasured: 1,
      others: [{ method: 'margin', robust: 2, needsClarity: 0, misleading: 1, wrongLow: 0 }],
    });
  });
});
