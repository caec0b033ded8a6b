import { gateMetrics, type plainGateMetrics } from '../../../src-shared/domain/gate.ts';
import type { GateNumbers } from '../../../src-shared/metrics/gates.ts';
import { pairModels } from './comparability.ts';
import type { JudgedNumbers, MetricPair } from '../results/judge.ts';
import type { EvaluationReportFile, ReportedModel } from './reportFile.ts';

/** The numbers that thresholds compare, of a report or of one of its models. */
function gateNumbersIn(from: EvaluationReportFile | ReportedModel, durationMs: number | null) {
  const { metrics, latency_ms: latency, tokens, cost_usd: cost, counts } = from;
  const plain: Record<(typeof plainGateMetrics)[number], number | null> = {
    'latency_ms.p50': latency.p50,
    'latency_ms.p95': latency.p95,
    'tokens.input': tokens.input,
    'tokens.output': tokens.output,
    cost_usd: cost,
    duration_ms: durationMs,
    'counts.failed': counts.failed,
  };
  const rates = gateMetrics.map((name) => [name, metrics[name] ?? null] as const);
  return { ...Object.fromEntries(rates), ...plain } as GateNumbers;
}

/** Each model of a report, or all of them together. A single model has no name of its own. */
export function numbersToJudge(report: EvaluationReportFile, pooled: boolean): JudgedNumbers[] {
  const { models, duration_ms: duration } = report;
  if (pooled || models.length === 1)
    return [{ model: null, numbers: gateNumbersIn(report, duration) }];
  return models.map((model) => ({ model: model.label, numbers: gateNumbersIn(model, duration) }));
}

/** Each rate of each model with that of its baseline. */
export function metricPairs(
  before: EvaluationReportFile,
  now: EvaluationReportFile,
  pooled: boolean,
): MetricPair[] {
  const isOne = pooled || now.models.length === 1;
  const pairs = isOne
    ? [{ before: before.metrics, after: now.metrics, model: null }]
    : pairModels(before.models, now.models).pairs.map((pair) => ({
        before: pair.before.metrics,
        after: pair.after.metrics,
        model: pair.after.label,
      }));
  return pairs.flatMap((pair) =>
    gateMetrics.map((metric) => ({
      model: pair.model,
      metric,
      baseline: pair.before[metric]?.value ?? null,
      value: pair.after[metric]?.value ?? null,
    })),
  );
}
