import { z } from 'zod';

export const caseRates = [
  'pass_rate',
  'selection_precision',
  'selection_recall',
  'selection_f1',
  'precision',
  'recall',
  'f1_score',
  'accuracy',
  'parameter_accuracy',
] as const;
const taskRates = ['success_rate', 'attack_success_rate', 'call_efficiency', 'recovery'] as const;
export const gateMetrics = [...caseRates, ...taskRates] as const;
/** Numbers without an interval, so only their value can be gated. */
export const plainGateMetrics = [
  'latency_ms.p50',
  'latency_ms.p95',
  'tokens.input',
  'tokens.output',
  'cost_usd',
  'duration_ms',
  'counts.failed',
] as const;
export const evaluationUnits = ['case', 'task'] as const;
export type EvaluationUnit = (typeof evaluationUnits)[number];

/** The metrics that an evaluation has, rates first. */
export const metricsOf: Readonly<Record<EvaluationUnit, readonly GateMetric[]>> = {
  case: [...caseRates, ...plainGateMetrics],
  task: [...taskRates, 'cost_usd', 'duration_ms', 'counts.failed'],
};

export type GateMetric = (typeof gateMetrics)[number] | (typeof plainGateMetrics)[number];

/** True for a rate from 0 to 1. It has an interval, so its bounds can be gated. */
export const isRateMetric = (metric: GateMetric): boolean =>
  gateMetrics.some((one) => one === metric);

/** True for a rate that is better the lower it is. */
export const isBetterLow = (metric: string): boolean => metric === 'attack_success_rate';

export const gateBounds = ['value', 'low', 'high'] as const;

/** A threshold on a metric or on a bound of its 95% interval. */
export const threshold = z.strictObject({
  metric: z.enum([...gateMetrics, ...plainGateMetrics]),
  bound: z.enum(gateBounds).default('value'),
  /** `min`: fails below the limit; `max`: fails above it. */
  side: z.enum(['min', 'max']),
  limit: z.number(),
});
export type Threshold = z.infer<typeof threshold>;

export const gateOutcome = z.enum(['passed', 'failed', 'not_decided']);
export type GateOutcome = z.infer<typeof gateOutcome>;

export const thresholdResult = z.object({
  threshold,
  value: z.number().nullable(),
  outcome: gateOutcome,
});
export type ThresholdResult = z.infer<typeof thresholdResult>;
