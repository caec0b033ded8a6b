import type { RunOutcome } from '../domain/evaluation.ts';
import { isCorrectUnit, isToolLabel, NO_TOOL } from '../domain/labels.ts';
import type { ConfidenceCounts, Estimate, Metrics } from '../domain/metrics.ts';
import { confidenceMethods, type ConfidenceMethod } from '../domain/observation.ts';
import type { Classification, ConfidenceCategory, ConfusionUnit } from '../domain/score.ts';
import { callRates, clusteredRatio, mapEach } from './clusteredInterval.ts';

/** What a run adds to the metrics. Rows without a class (failed, open) add nothing. */
export type MetricRow = Pick<
  RunOutcome,
  'testCaseId' | 'classification' | 'passed' | 'units' | 'matchedParameters' | 'expectedParameters'
>;

/** Sums over all runs of one case: the unit of every interval. */
export interface CaseTally {
  runs: number;
  passed: number;
  /** Runs of which it is known whether they passed. */
  decided: number;
  tp: number;
  fp: number;
  tn: number;
  fn: number;
  /** Calls to a tool that their row expects. */
  correct: number;
  rows: number;
  columns: number;
  matchedParameters: number;
  expectedParameters: number;
}

export function emptyTally(): CaseTally {
  return {
    runs: 0,
    passed: 0,
    decided: 0,
    tp: 0,
    fp: 0,
    tn: 0,
    fn: 0,
    correct: 0,
    rows: 0,
    columns: 0,
    matchedParameters: 0,
    expectedParameters: 0,
  };
}

const classKeys = { TP: 'tp', FP: 'fp', TN: 'tn', FN: 'fn' } as const;

/** Adds class, verdict and parameters of one scored run. Failed runs are never added. */
export function addRun(
  tally: CaseTally,
  run: {
    classification: Classification;
    passed: boolean | null;
    matchedParameters: number;
    expectedParameters: number;
  },
): void {
  tally.runs += 1;
  if (run.passed !== null) tally.decided += 1;
  if (run.passed === true) tally.passed += 1;
  tally[classKeys[run.classification]] += 1;
  if (run.classification !== 'TP') return;
  tally.matchedParameters += run.matchedParameters;
  tally.expectedParameters += run.expectedParameters;
}

/** Adds one unit of the confusion matrix. */
export function addUnit(tally: CaseTally, unit: ConfusionUnit): void {
  if (isToolLabel(unit.expected)) tally.rows += 1;
  if (unit.selected !== NO_TOOL) tally.columns += 1;
  if (isCorrectUnit(unit)) tally.correct += 1;
}

function tallyCases(rows: readonly MetricRow[]): CaseTally[] {
  const cases = new Map<string, CaseTally>();
  for (const row of rows) {
    if (row.classification === null) continue;
    let tally = cases.get(row.testCaseId);
    if (!tally) cases.set(row.testCaseId, (tally = emptyTally()));
    addRun(tally, { ...row, classification: row.classification });
    for (const unit of row.units) addUnit(tally, unit);
  }
  return [...cases.values()];
}

/**
 * All metrics of an evaluation, a model or a filter (docs/rules.md §3, Metrics) from one row per
 * run, last attempts only. Every rate is a ratio over cases with its clustered 95% interval. `n` is
 * the denominator (for F1: TP+FP+FN). Range 0–1; null without a denominator.
 */
export function summarize(rows: readonly MetricRow[]): Metrics {
  return summarizeCases(tallyCases(rows));
}

/** Like `summarize`, from sums by case. */
export function summarizeCases(cases: readonly CaseTally[]): Metrics {
  const ratio = (share: (tally: CaseTally) => [numerator: number, denominator: number]): Estimate =>
    clusteredRatio(
      mapEach(cases, (tally) => {
        const [numerator, denominator] = share(tally);
        return { numerator, denominator };
      }),
    );
  const byCall = callRates(
    mapEach(cases, ({ correct, rows, columns }) => ({
      tp: correct,
      fp: columns - correct,
      fn: rows - correct,
    })),
  );
  const byRun = callRates(cases);
  return {
    passRate: ratio(({ passed, decided }) => [passed, decided]),
    selectionPrecision: byCall.precision,
    selectionRecall: byCall.recall,
    selectionF1: byCall.f1,
    precision: byRun.precision,
    recall: byRun.recall,
    f1Score: byRun.f1,
    accuracy: ratio(({ tp, tn, runs }) => [tp + tn, runs]),
    parameterAccuracy: ratio((tally) => [tally.matchedParameters, tally.expectedParameters]),
  };
}

const categoryNames = {
  robust: 'robust',
  needs_clarity: 'needsClarity',
  misleading: 'misleading',
  wrong_low: 'wrongLow',
} as const;

/**
 * Counts of the confidence categories of scored runs, by method and never mixed: first the method of
 * most runs (of equal ones the first in `confidenceMethods`), then the others.
 */
export function countCategories(
  runs: Iterable<readonly [ConfidenceMethod | null, ConfidenceCategory, number]>,
): ConfidenceCounts {
  const none = { robust: 0, needsClarity: 0, misleading: 0, wrongLow: 0 };
  const byMethod = new Map(confidenceMethods.map((method) => [method, { ...none, method, n: 0 }]));
  let unmeasured = 0;
  for (const [method, category, count] of runs) {
    const counts = method === null ? undefined : byMethod.get(method);
    if (counts === undefined || category === 'unmeasured') unmeasured += count;
    else {
      counts[categoryNames[category]] += count;
      counts.n += count;
    }
  }
  const measured = [...byMethod.values()].filter(({ n }) => n > 0).sort((a, b) => b.n - a.n);
  const [most, ...others] = measured.map(({ n: _n, ...counts }) => counts);
  return { ...(most ?? { ...none, method: null }), unmeasured, others };
}
