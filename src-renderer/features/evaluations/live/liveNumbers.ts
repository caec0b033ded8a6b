import type {
  ConfidenceCounts,
  ConfusionMatrix,
  Counts,
  Estimate,
  PerTool,
  RunNumbers,
  TokenSource,
} from '../../../../src-shared/domain/metrics.ts';
import { countClasses } from '../../../../src-shared/metrics/classification.ts';
import {
  addUnits,
  createConfusion,
  perTool,
  selectionMetrics,
  toMatrix,
} from '../../../../src-shared/metrics/confusion.ts';
import { quantile } from '../../../../src-shared/metrics/quantile.ts';
import type { LiveEvaluation } from './foldEvents.ts';

/** The numbers on the page of an evaluation, whether folded from events or loaded. */
export interface ResultNumbers {
  counts: Counts;
  precision: Estimate;
  recall: Estimate;
  f1: Estimate;
  parameters: Estimate;
  confusion: ConfusionMatrix;
  perTool: PerTool[];
  /** Null while the evaluation is running. */
  confidence: ConfidenceCounts | null;
  latencyMs: { p50: number | null; p95: number | null };
  tokens: { input: number | null; output: number | null } | null;
  costUsd: number | null;
  tokenSource: TokenSource | null;
  durationMs: number | null;
}

/** `durationMs` is null if the numbers don't belong to a single evaluation. */
export function summaryNumbers(summary: RunNumbers & { durationMs: number | null }): ResultNumbers {
  const { metrics } = summary;
  return {
    counts: summary.counts,
    precision: metrics.selectionPrecision,
    recall: metrics.selectionRecall,
    f1: metrics.selectionF1,
    parameters: metrics.parameterAccuracy,
    confusion: summary.confusion,
    perTool: summary.perTool,
    confidence: summary.confidence,
    latencyMs: summary.latencyMs,
    tokens: summary.tokens,
    costUsd: summary.costUsd,
    tokenSource: summary.tokenSource,
    durationMs: summary.durationMs,
  };
}

/**
 * The numbers while runs come in, of one model or (null) of all. Intervals are Wilson's. Parameter
 * accuracy has no interval before the end, because its bootstrap is only worth computing once.
 * `tools` are the labels that the matrix shows from the start, so that it doesn't grow.
 */
export function liveNumbers(
  live: LiveEvaluation,
  model: { id: string; of: number } | null,
  tools: readonly string[],
): ResultNumbers {
  const outcomes = [...live.outcomes.values()].filter(
    (outcome) => model === null || outcome.modelSettingsId === model.id,
  );
  const scored = outcomes.filter((outcome) => outcome.classification !== null);
  const confusion = createConfusion();
  for (const outcome of scored) addUnits(confusion, outcome.units);
  const right = scored.filter((outcome) => outcome.classification === 'TP');
  const matched = right.reduce((sum, outcome) => sum + outcome.matchedParameters, 0);
  const expected = right.reduce((sum, outcome) => sum + outcome.expectedParameters, 0);
  const { selectionPrecision, selectionRecall, selectionF1 } = selectionMetrics(confusion);
  const times = scored.map((outcome) => outcome.executionTimeMs).filter((time) => time !== null);
  return {
    counts: countOutcomes(live, model, outcomes.length, scored),
    precision: selectionPrecision,
    recall: selectionRecall,
    f1: selectionF1,
    parameters: {
      value: expected === 0 ? null : matched / expected,
      low: null,
      high: null,
      n: expected,
    },
    confusion: toMatrix(confusion, tools),
    perTool: perTool(confusion, tools),
    confidence: null,
    latencyMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    tokens: null,
    costUsd: null,
    tokenSource: null,
    durationMs: null,
  };
}

function countOutcomes(
  live: LiveEvaluation,
  model: { of: number } | null,
  ended: number,
  scored: readonly { classification: 'TP' | 'FP' | 'TN' | 'FN' | null }[],
): Counts {
  const total = model === null ? live.planned : Math.round(live.planned / model.of);
  // For all models together, the events say how many runs are open, including failed runs that will
  // be repeated.
  const open = model === null ? live.open : Math.max(0, total - ended);
  return {
    ...countClasses(scored.map((outcome) => outcome.classification)),
    failed: Math.max(0, total - open - scored.length),
    open,
    total,
  };
}
