import type { RunNumbers } from '../../../../src-shared/domain/metrics.ts';
import {
  addUnits,
  createConfusion,
  toMatrix,
  type Confusion,
} from '../../../../src-shared/metrics/confusion.ts';
import { quantileOfCounts } from '../../../../src-shared/metrics/quantile.ts';
import {
  CaseTallies,
  countCategories,
  summarizeCases,
} from '../../../../src-shared/metrics/summary.ts';
import { summarizeTools, ToolTallies } from '../../../../src-shared/metrics/toolSummary.ts';
import type { ConfidenceMethod } from '../../../../src-shared/domain/observation.ts';
import type { ConfidenceCategory } from '../../../../src-shared/domain/score.ts';
import type { RunScope } from '../../../store/runs/scopes.ts';
import type { Store } from '../../../store/store.ts';

/**
 * The part of a summary that comes from the runs themselves; counts and cost come from other
 * queries.
 */
export type FoldedNumbers = Omit<
  RunNumbers,
  'cases' | 'counts' | 'costUsd' | 'usage' | 'tokenSource' | 'cachedAnswers' | 'unansweredRequests'
>;

/**
 * The metrics of the scored runs in a scope. Runs and units are each read once; memory grows with
 * cases and distinct values, not with runs. `labels` adds tools to matrix and table that no run
 * mentions.
 */
export function foldSummary(
  store: Store,
  scope: RunScope,
  labels: readonly string[],
): FoldedNumbers {
  const tallies = new CaseTallies();
  // Cases are numbered, because each row brings another copy of the text of its id.
  const numbers = new Map<string, number>();
  const categories = new Map<string, [ConfidenceMethod | null, ConfidenceCategory, number]>();
  const latencies = new Map<number, number>();
  let [runs, input, output]: [number, number | null, number | null] = [0, null, null];
  for (const [
    testCaseId,
    classification,
    passed,
    matchedParameters,
    expectedParameters,
    category,
    method,
    ms,
    tokensIn,
    tokensOut,
  ] of store.runFolds.runs(scope)) {
    runs += 1;
    let number = numbers.get(testCaseId);
    if (number === undefined) numbers.set(testCaseId, (number = tallies.length));
    tallies.addRun(number, {
      classification,
      passed: passed === null ? null : passed === 1,
      matchedParameters,
      expectedParameters,
    });
    const kind = `${method} ${category}`;
    const known = categories.get(kind);
    if (known) known[2] += 1;
    else categories.set(kind, [method, category, 1]);
    if (ms !== null) latencies.set(ms, (latencies.get(ms) ?? 0) + 1);
    if (tokensIn !== null) input = (input ?? 0) + tokensIn;
    if (tokensOut !== null) output = (output ?? 0) + tokensOut;
  }
  const { confusion, tools } = foldUnits(store, scope, numbers, tallies);
  return {
    runs,
    metrics: summarizeCases(tallies),
    confidence: countCategories(categories.values()),
    confusion: toMatrix(confusion, labels),
    ...summarizeTools(tools, labels),
    latencyMs: { p50: quantileOfCounts(latencies, 0.5), p95: quantileOfCounts(latencies, 0.95) },
    // Null when no run reported tokens, for example for a program without a model.
    tokens: { input, output },
  };
}

/** The confusion matrix, and the sums of each tool by case. */
function foldUnits(
  store: Store,
  scope: RunScope,
  numbers: ReadonlyMap<string, number>,
  tallies: CaseTallies,
): { confusion: Confusion; tools: ToolTallies } {
  const confusion = createConfusion();
  const tools = new ToolTallies();
  for (const [testCaseId, expected, selected] of store.runFolds.units(scope)) {
    const unit = { expected, selected };
    addUnits(confusion, [unit]);
    const number = numbers.get(testCaseId);
    if (number !== undefined) tallies.addUnit(number, unit);
    tools.add(number ?? testCaseId, unit);
  }
  return { confusion, tools };
}
