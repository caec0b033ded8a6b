import type {
  AnyOfRow,
  ConfidenceCounts,
  ConfusionMatrix,
  Counts,
  Estimate,
  Metrics,
  PerTool,
  RunNumbers,
  TokenSource,
} from '../../../../src-shared/domain/metrics.ts';
import { countClasses } from '../../../../src-shared/metrics/classification.ts';
import { addUnits, createConfusion, toMatrix } from '../../../../src-shared/metrics/confusion.ts';
import { quantile } from '../../../../src-shared/metrics/quantile.ts';
import { summarize } from '../../../../src-shared/metrics/summary.ts';
import { summarizeToolsOf } from '../../../../src-shared/metrics/toolSummary.ts';
import type { LiveEvaluation } from './foldEvents.ts';

/** The numbers on the page of an evaluation, whether folded from events or loaded. */
export interface ResultNumbers {
  counts: Counts;
  passRate: Estimate;
  precision: Estimate;
  recall: Estimate;
  f1: Estimate;
  parameters: Estimate;
  confusion: ConfusionMatrix;
  perTool: PerTool[];
  anyOf: AnyOfRow[];
  /** Null while the evaluation is running. */
  confidence: ConfidenceCounts | null;
  latencyMs: { p50: number | null; p95: number | null };
  tokens: { input: number | null; output: number | null } | null;
  costUsd: number | null;
  /** Requests that may have been billed besides. */
  unansweredRequests: number;
  tokenSource: TokenSource | null;
  durationMs: number | null;
}

/** `durationMs` is null if the numbers don't belong to a single evaluation. */
export function summaryNumbers(summary: RunNumbers & { durationMs: number | null }): ResultNumbers {
  const { metrics } = summary;
  return {
    counts: summary.counts,
    ...shownRates(metrics),
    confusion: summary.confusion,
    perTool: summary.perTool,
    anyOf: summary.anyOf,
    confidence: summary.confidence,
    latencyMs: summary.latencyMs,
    tokens: summary.tokens,
    costUsd: summary.costUsd,
    unansweredRequests: summary.unansweredRequests,
    tokenSource: summary.tokenSource,
    durationMs: summary.durationMs,
  };
}

function shownRates(metrics: Metrics) {
  return {
    passRate: metrics.passRate,
    precision: metrics.selectionPrecision,
    recall: metrics.selectionRecall,
    f1: metrics.selectionF1,
    parameters: metrics.parameterAccuracy,
  };
}

/**
 * The numbers while runs come in, of one model or (null) of all, by the arithmetic of the ended
 * evaluation. `tools` are the labels that the matrix shows from the start, so that it doesn't grow.
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
  const times = scored.map((outcome) => outcome.executionTimeMs).filter((time) => time !== null);
  return {
    counts: countOutcomes(live, model, outcomes.length, scored),
    ...shownRates(summarize(scored)),
    confusion: toMatrix(confusion, tools),
    ...summarizeToolsOf(scored, tools),
    confidence: null,
    latencyMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    tokens: null,
    costUsd: null,
    unansweredRequests: 0,
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
