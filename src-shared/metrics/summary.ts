import type { RunOutcome } from '../domain/evaluation.ts';
import { NO_TOOL } from '../domain/labels.ts';
import type { ConfidenceCounts, Estimate, Metrics } from '../domain/metrics.ts';
import type { Classification, ConfidenceCategory, ConfusionUnit } from '../domain/score.ts';
import { bootstrapRatio, type BootstrapOptions, type Share } from './bootstrap.ts';
import { classificationMetrics } from './classification.ts';
import { isTool } from './confusion.ts';
import { f1, mapF1, proportion, withInterval, type Interval } from './intervals.ts';

/** What a run adds to the metrics. Rows without a class (failed, open) add nothing. */
export type MetricRow = Pick<
  RunOutcome,
  'testCaseId' | 'classification' | 'units' | 'matchedParameters' | 'expectedParameters'
>;

/** Sums over all runs of one case, so that whole cases can be resampled. */
export interface CaseTally {
  runs: number;
  tp: number;
  fp: number;
  tn: number;
  fn: number;
  diagonal: number;
  rows: number;
  columns: number;
  matchedParameters: number;
  expectedParameters: number;
}

export function emptyTally(): CaseTally {
  return {
    runs: 0,
    tp: 0,
    fp: 0,
    tn: 0,
    fn: 0,
    diagonal: 0,
    rows: 0,
    columns: 0,
    matchedParameters: 0,
    expectedParameters: 0,
  };
}

const classKeys = { TP: 'tp', FP: 'fp', TN: 'tn', FN: 'fn' } as const;

/** Adds class and parameters of one scored run. Failed runs are never added. */
export function addRun(
  tally: CaseTally,
  run: { classification: Classification; matchedParameters: number; expectedParameters: number },
): void {
  tally.runs += 1;
  tally[classKeys[run.classification]] += 1;
  if (run.classification !== 'TP') return;
  tally.matchedParameters += run.matchedParameters;
  tally.expectedParameters += run.expectedParameters;
}

/** Adds one unit of the confusion matrix. */
export function addUnit(tally: CaseTally, { expected, selected }: ConfusionUnit): void {
  if (isTool(expected)) tally.rows += 1;
  if (selected !== NO_TOOL) tally.columns += 1;
  if (expected === selected && isTool(expected)) tally.diagonal += 1;
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

const tallyKeys = Object.keys(emptyTally()) as (keyof CaseTally)[];

function parameterAccuracy(cases: readonly CaseTally[], options: BootstrapOptions): Estimate {
  const matched = cases.reduce((total, tally) => total + tally.matchedParameters, 0);
  const n = cases.reduce((total, tally) => total + tally.expectedParameters, 0);
  const value = n === 0 ? null : matched / n;
  const shares = cases.map((tally): Share => ({
    numerator: tally.matchedParameters,
    denominator: tally.expectedParameters,
  }));
  return withInterval(
    { value, low: null, high: null, n },
    n === 0 ? null : bootstrapRatio(shares, options),
  );
}

/**
 * True if a case has several scored runs. They are not independent, so whole cases are resampled.
 */
function isRepeated(cases: readonly CaseTally[]): boolean {
  return cases.some(({ runs }) => runs > 1);
}

/**
 * All metrics of an evaluation, a model or a filter (docs/rules.md §3, Metrics) from one row per
 * run, last attempts only. Rates by run and by call have Wilson intervals, or bootstrap intervals
 * over cases if a case has several scored runs. Parameter accuracy = Σ matched / Σ |E| over TP,
 * always with a bootstrap over cases. `n` is the denominator (for F1: TP+FP+FN). Range 0–1; null
 * without a denominator.
 */
export function summarize(rows: readonly MetricRow[], options: BootstrapOptions = {}): Metrics {
  return summarizeCases(tallyCases(rows), options);
}

/** Like `summarize`, from sums by case. */
export function summarizeCases(
  cases: readonly CaseTally[],
  options: BootstrapOptions = {},
): Metrics {
  const all = emptyTally();
  for (const tally of cases) for (const key of tallyKeys) all[key] += tally[key];
  const plain = {
    selectionPrecision: proportion(all.diagonal, all.columns),
    selectionRecall: proportion(all.diagonal, all.rows),
    selectionF1: f1(all.diagonal, all.columns - all.diagonal, all.rows - all.diagonal),
    ...classificationMetrics(all),
  };
  const accuracy = parameterAccuracy(cases, options);
  if (!isRepeated(cases)) return { ...plain, parameterAccuracy: accuracy };
  const resample = (share: (tally: CaseTally) => [number, number]): Interval | null =>
    bootstrapRatio(
      cases.map((tally) => {
        const [numerator, denominator] = share(tally);
        return { numerator, denominator };
      }),
      options,
    );
  return {
    selectionPrecision: withInterval(
      plain.selectionPrecision,
      resample((t) => [t.diagonal, t.columns]),
    ),
    selectionRecall: withInterval(
      plain.selectionRecall,
      resample((t) => [t.diagonal, t.rows]),
    ),
    selectionF1: withInterval(
      plain.selectionF1,
      mapF1(resample((t) => [t.diagonal, t.columns + t.rows - t.diagonal])),
    ),
    precision: withInterval(
      plain.precision,
      resample((t) => [t.tp, t.tp + t.fp]),
    ),
    recall: withInterval(
      plain.recall,
      resample((t) => [t.tp, t.tp + t.fn]),
    ),
    f1Score: withInterval(plain.f1Score, mapF1(resample((t) => [t.tp, t.tp + t.fp + t.fn]))),
    accuracy: withInterval(
      plain.accuracy,
      resample((t) => [t.tp + t.tn, t.runs]),
    ),
    parameterAccuracy: accuracy,
  };
}

/** Counts of the confidence categories of scored runs. */
export function countCategories(
  categories: Iterable<readonly [ConfidenceCategory, number]>,
): ConfidenceCounts {
  const counts: ConfidenceCounts = {
    robust: 0,
    needsClarity: 0,
    misleading: 0,
    wrongLow: 0,
    unmeasured: 0,
  };
  const names = {
    robust: 'robust',
    needs_clarity: 'needsClarity',
    misleading: 'misleading',
    wrong_low: 'wrongLow',
    unmeasured: 'unmeasured',
  } as const;
  for (const [category, count] of categories) counts[names[category]] += count;
  return counts;
}
