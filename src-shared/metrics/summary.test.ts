import { describe, expect, it } from 'vitest';
import { NO_TOOL } from '../domain/labels.ts';
import type { Classification } from '../domain/score.ts';
import { classificationMetrics } from './classification.ts';
import { proportion } from './intervals.ts';
import { countCategories, summarize, type MetricRow } from './summary.ts';
import { summarizeTools } from './toolSummary.ts';

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
    units: classification === null ? [] : [{ expected, selected }],
    matchedParameters,
    expectedParameters,
  };
}

describe('classificationMetrics', () => {
  it('divides by the right counts', () => {
    const { precision, recall, f1Score, accuracy } = classificationMetrics({
      tp: 6,
      fp: 2,
      tn: 3,
      fn: 1,
    });
    expect([precision.value, recall.value, accuracy.value]).toEqual([6 / 8, 6 / 7, 9 / 12]);
    expect(f1Score.value).toBeCloseTo(12 / 15, 12);
  });

  it('returns null when a rate is not defined', () => {
    const { precision, recall, f1Score, accuracy } = classificationMetrics({
      tp: 0,
      fp: 0,
      tn: 0,
      fn: 0,
    });
    expect([precision, recall, f1Score, accuracy].map(({ value }) => value)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('summarize', () => {
  const once = [
    row('1', 'TP', 2, 3),
    row('2', 'TP', 1, 1),
    row('3', 'FN', 9, 9),
    row('4', 'FP'),
    row('5', 'TN'),
    row('6', null, 5, 5),
  ];

  it('leaves out failed runs, and parameters of runs that are not TP', () => {
    const metrics = summarize(once);
    expect(metrics.accuracy).toEqual(proportion(3, 5));
    expect(metrics.precision).toEqual(proportion(2, 3));
    expect(metrics.selectionPrecision).toEqual(proportion(2, 4));
    expect(metrics.selectionRecall).toEqual(proportion(2, 3));
    expect(metrics.parameterAccuracy).toMatchObject({ value: 3 / 4, n: 4 });
    expect(metrics.parameterAccuracy.low).toBe(2 / 3);
    expect(metrics.parameterAccuracy.high).toBe(1);
  });

  it('gives 20 cases × 5 equal runs the interval of 20 cases', () => {
    const repeated = Array.from({ length: 100 }, (_, index) =>
      row(String(index % 20), index % 20 < 10 ? 'TP' : 'FN'),
    );
    const { accuracy, recall, f1Score, selectionRecall } = summarize(repeated);
    expect(accuracy).toMatchObject({ value: 0.5, n: 100 });
    // Binomial(20, ½): the 2.5 % and 97.5 % points are 6 and 14.
    expect([accuracy.low, accuracy.high]).toEqual([0.3, 0.7]);
    expect([recall.low, recall.high]).toEqual([0.3, 0.7]);
    expect([selectionRecall.low, selectionRecall.high]).toEqual([0.3, 0.7]);
    expect(f1Score.low).toBeCloseTo((2 * 0.3) / 1.3, 12);
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

describe('summarizeTools', () => {
  it('computes per-tool intervals over cases, not repetitions', () => {
    const rows = Array.from({ length: 100 }, (_, index) =>
      row(String(index % 20), index % 20 < 10 ? 'TP' : 'FN'),
    );
    const [a, b] = summarizeTools(rows, ['s:c']);
    expect(a).toMatchObject({
      toolId: 's:a',
      tp: 50,
      fn: 50,
      fp: 0,
      recall: { value: 0.5, low: 0.3, high: 0.7 },
      precision: { value: 1, low: proportion(10, 10).low, high: 1 },
    });
    expect(b).toMatchObject({
      toolId: 's:b',
      tp: 0,
      fp: 50,
      fn: 0,
      recall: { value: null, low: null },
    });
    expect(summarizeTools(rows.slice(0, 20))[0]?.recall).toEqual(proportion(10, 20));
  });
});

describe('countCategories', () => {
  it('counts each category under its own name', () => {
    expect(
      countCategories([
        ['robust', 2],
        ['wrong_low', 1],
        ['needs_clarity', 1],
        ['misleading', 1],
        ['unmeasured', 1],
      ]),
    ).toEqual({
      robust: 2,
      needsClarity: 1,
      misleading: 1,
      wrongLow: 1,
      unmeasured: 1,
    });
  });
});
