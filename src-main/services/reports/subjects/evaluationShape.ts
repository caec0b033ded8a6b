import type { Evaluation, EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import type { RunNumbers } from '../../../../src-shared/domain/metrics.ts';
import { namedMetrics } from '../../../../src-shared/metrics/gateNumbers.ts';
import { macroMetrics } from '../../../../src-shared/metrics/macro.ts';

/** The JSON fields that evaluations and summaries over any selection of runs have in common. */
export function numbersShape({
  counts,
  metrics,
  confidence,
  confusion,
  perTool,
  latencyMs,
  tokens,
  costUsd,
  tokenSource,
}: Omit<RunNumbers, 'cases' | 'runs'>) {
  const macro = macroMetrics(perTool);
  return {
    counts: {
      tp: counts.tp,
      fp: counts.fp,
      tn: counts.tn,
      fn: counts.fn,
      failed: counts.failed,
      open: counts.open,
      total: counts.total,
    },
    metrics: namedMetrics(metrics),
    macro: { precision: macro.precision, recall: macro.recall, f1_score: macro.f1Score },
    confidence: {
      robust: confidence.robust,
      needs_clarity: confidence.needsClarity,
      misleading: confidence.misleading,
      wrong_low: confidence.wrongLow,
      unmeasured: confidence.unmeasured,
    },
    confusion,
    per_tool: perTool.map((row) => ({
      tool_id: row.toolId,
      tp: row.tp,
      fp: row.fp,
      fn: row.fn,
      precision: row.precision,
      recall: row.recall,
      f1_score: row.f1Score,
    })),
    latency_ms: latencyMs,
    tokens,
    cost_usd: costUsd,
    token_source: tokenSource,
  };
}

/**
 * The JSON document that `eval` and `rescore` print, which is also the head of the report. Programs
 * depend on its names.
 */
export function evaluationShape(evaluation: Evaluation, summary: EvaluationSummary) {
  const [model] = evaluation.models;
  return {
    evaluation_id: evaluation.id,
    number: evaluation.number,
    status: evaluation.state,
    reason: evaluation.reason,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    ...numbersShape(summary),
    duration_ms: summary.durationMs,
  };
}
