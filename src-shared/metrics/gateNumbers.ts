import type { EvaluationSummary } from '../domain/evaluation.ts';
import type { Metrics } from '../domain/metrics.ts';
import type { GateNumbers } from './gates.ts';

/** The metrics under their names in JSON documents. */
export function namedMetrics(metrics: Metrics) {
  return {
    pass_rate: metrics.passRate,
    selection_precision: metrics.selectionPrecision,
    selection_recall: metrics.selectionRecall,
    selection_f1: metrics.selectionF1,
    precision: metrics.precision,
    recall: metrics.recall,
    f1_score: metrics.f1Score,
    accuracy: metrics.accuracy,
    parameter_accuracy: metrics.parameterAccuracy,
  };
}

/**
 * The numbers of an evaluation's summary that gates can check, under their names in JSON documents.
 */
export function gateNumbers({
  metrics,
  latencyMs,
  tokens,
  costUsd,
  durationMs,
  counts,
}: EvaluationSummary): GateNumbers {
  return {
    ...namedMetrics(metrics),
    'latency_ms.p50': latencyMs.p50,
    'latency_ms.p95': latencyMs.p95,
    'tokens.input': tokens.input,
    'tokens.output': tokens.output,
    cost_usd: costUsd,
    duration_ms: durationMs,
    'counts.failed': counts.failed,
  };
}
