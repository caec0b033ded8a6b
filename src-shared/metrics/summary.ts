import type { RunOutcome } from '../domain/evaluation.ts';
import { isCorrectUnit, isToolLabel, NO_TOOL } from '../domain/labels.ts';
import type { ConfidenceCounts, Estimate, Metrics } from '../domain/metrics.ts';
import { confidenceMethods, type ConfidenceMethod } from '../domain/observation.ts';
import type { Classification, ConfidenceCategory, ConfusionUnit } from '../domain/score.ts';
import { callRates, clusteredRatio, mapEach } from './clusteredInterval.ts';
import { SharedSums, type Shared } from './sharedSums.ts';

/** What a run adds to the metrics. Rows without a class (failed, open) add nothing. */
export type MetricRow = Pick<
  RunOutcome,
  'testCaseId' | 'classification' | 'passed' | 'units' | 'matchedParameters' | 'expectedParameters'
>;

/** Sums over all runs of one case: the unit of every interval. */
interface CaseTally {
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

const noRuns: CaseTally = {
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

const classKeys = { TP: 'tp', FP: 'fp', TN: 'tn', FN: 'fn' } as const;
const classes = Object.keys(classKeys);
/** More arguments than a call has. */
const maxParameters = 2 ** 20;

/** The sums of cases, which are numbered in the order in which they are first seen. */
export class CaseTallies implements Iterable<CaseTally> {
  readonly #shared = new SharedSums(noRuns);
  readonly #cases: Shared<CaseTally>[] = [];

  get length(): number {
    return this.#cases.length;
  }

  *[Symbol.iterator](): IterableIterator<CaseTally> {
    for (const { sums } of this.#cases) yield sums;
  }

  /** Adds class, verdict and parameters of one scored run. Failed runs are never added. */
  addRun(
    number: number,
    {
      classification,
      passed,
      ...parameters
    }: {
      classification: Classification;
      passed: boolean | null;
      matchedParameters: number;
      expectedParameters: number;
    },
  ): void {
    const { matchedParameters, expectedParameters } =
      classification === 'TP' ? parameters : { matchedParameters: 0, expectedParameters: 0 };
    const verdict = passed === null ? 2 : Number(passed);
    const step =
      (matchedParameters * maxParameters + expectedParameters) * 16 +
      classes.indexOf(classification) * 4 +
      verdict;
    this.#add(number, 1 + step, (tally) => {
      tally.runs += 1;
      if (passed !== null) tally.decided += 1;
      if (passed === true) tally.passed += 1;
      tally[classKeys[classification]] += 1;
      tally.matchedParameters += matchedParameters;
      tally.expectedParameters += expectedParameters;
    });
  }

  /** Adds one unit of the confusion matrix. */
  addUnit(number: number, unit: ConfusionUnit): void {
    const rows = Number(isToolLabel(unit.expected));
    const columns = Number(unit.selected !== NO_TOOL);
    const correct = Number(isCorrectUnit(unit));
    this.#add(number, -1 - (rows * 4 + columns * 2 + correct), (tally) => {
      tally.rows += rows;
      tally.columns += columns;
      tally.correct += correct;
    });
  }

  #add(number: number, step: number, add: (tally: CaseTally) => void): void {
    const before = this.#cases[number] ?? this.#shared.none;
    this.#cases[number] = this.#shared.after(before, step, add);
  }
}

function tallyCases(rows: readonly MetricRow[]): CaseTallies {
  const numbers = new Map<string, number>();
  const cases = new CaseTallies();
  for (const row of rows) {
    if (row.classification === null) continue;
    let number = numbers.get(row.testCaseId);
    if (number === undefined) numbers.set(row.testCaseId, (number = cases.length));
    cases.addRun(number, { ...row, classification: row.classification });
    for (const unit of row.units) cases.addUnit(number, unit);
  }
  return cases;
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
export function summarizeCases(cases: Iterable<CaseTally>): Metrics {
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
