import type { RunNumbers } from '../../../../src-shared/domain/metrics.ts';
import {
  addUnits,
  createConfusion,
  perTool,
  toMatrix,
  type Confusion,
} from '../../../../src-shared/metrics/confusion.ts';
import { quantileOfCounts } from '../../../../src-shared/metrics/quantile.ts';
import {
  addRun,
  addUnit,
  countCategories,
  emptyTally,
  summarizeCases,
  type CaseTally,
} from '../../../../src-shared/metrics/summary.ts';
import {
  addToolUnit,
  withCaseIntervals,
  type ToolTallies,
} from '../../../../src-shared/metrics/toolSummary.ts';
import type { ConfidenceCategory } from '../../../../src-shared/domain/score.ts';
import type { RunScope } from '../../../store/runs/scopes.ts';
import type { Store } from '../../../store/store.ts';

/**
 * The part of a summary that comes from the runs themselves; counts and cost come from other
 * queries.
 */
export type FoldedNumbers = Omit<RunNumbers, 'cases' | 'counts' | 'costUsd' | 'tokenSource'>;

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
  const cases = new Map<string, CaseTally>();
  const categories = new Map<ConfidenceCategory, number>();
  const latencies = new Map<number, number>();
  let [runs, input, output, repeated]: [number, number | null, number | null, boolean] = [
    0,
    null,
    null,
    false,
  ];
  for (const [
    testCaseId,
    classification,
    matchedParameters,
    expectedParameters,
    category,
    ms,
    tokensIn,
    tokensOut,
  ] of store.runFolds.runs(scope)) {
    runs += 1;
    let tally = cases.get(testCaseId);
    if (tally) repeated = true;
    else cases.set(testCaseId, (tally = emptyTally()));
    addRun(tally, { classification, matchedParameters, expectedParameters });
    categories.set(category, (categories.get(category) ?? 0) + 1);
    if (ms !== null) latencies.set(ms, (latencies.get(ms) ?? 0) + 1);
    if (tokensIn !== null) input = (input ?? 0) + tokensIn;
    if (tokensOut !== null) output = (output ?? 0) + tokensOut;
  }
  const { confusion, tools } = foldUnits(store, scope, cases, repeated);
  const toolMetrics = perTool(confusion, labels);
  return {
    runs,
    metrics: summarizeCases([...cases.values()]),
    confidence: countCategories(categories),
    confusion: toMatrix(confusion, labels),
    perTool: tools ? withCaseIntervals(toolMetrics, tools, cases.size) : toolMetrics,
    latencyMs: { p50: quantileOfCounts(latencies, 0.5), p95: quantileOfCounts(latencies, 0.95) },
    // Null when no run reported tokens, for example for a program without a model.
    tokens: { input, output },
  };
}

/**
 * The confusion matrix. Tallies per tool and case are only collected with repetitions, because only
 * then the intervals need a bootstrap over cases.
 */
function foldUnits(
  store: Store,
  scope: RunScope,
  cases: ReadonlyMap<string, CaseTally>,
  repeated: boolean,
): { confusion: Confusion; tools: ToolTallies | null } {
  const confusion = createConfusion();
  const tools: ToolTallies | null = repeated ? new Map() : null;
  for (const [testCaseId, expected, selected] of store.runFolds.units(scope)) {
    const unit = { expected, selected };
    addUnits(confusion, [unit]);
    const tally = cases.get(testCaseId);
    if (tally) addUnit(tally, unit);
    if (tools) addToolUnit(tools, testCaseId, unit);
  }
  return { confusion, tools };
}
