import {
  type caseRates,
  isRateMetric,
  plainGateMetrics,
  type GateMetric,
  type Threshold,
} from '../../../../src-shared/domain/gate.ts';
import { numberOf, type Typed } from './modelRow.ts';

/** A threshold while it is being edited. */
export interface GateRow {
  key: number;
  metric: GateMetric;
  bound: Threshold['bound'];
  side: Threshold['side'];
  limit: Typed;
}

/** Display names of the metrics, followed by the names that the command line and reports use. */
const gateMetricWords: Record<GateMetric, string> = {
  pass_rate: 'Pass rate',
  selection_precision: 'Precision',
  selection_recall: 'Recall',
  selection_f1: 'F1',
  parameter_accuracy: 'Arguments',
  accuracy: 'Accuracy, by run',
  precision: 'Precision, by run',
  recall: 'Recall, by run',
  f1_score: 'F1, by run',
  success_rate: 'Success rate',
  attack_success_rate: 'Attack success',
  call_efficiency: 'Call efficiency',
  recovery: 'Recovery',
  'latency_ms.p50': 'Latency p50, ms',
  'latency_ms.p95': 'Latency p95, ms',
  'tokens.input': 'Tokens in',
  'tokens.output': 'Tokens out',
  cost_usd: 'Cost, US dollars',
  duration_ms: 'Evaluation duration, ms',
  'counts.failed': 'Runs not scored',
};
export const gateChoices = [
  {
    group: 'Rates, 0 to 1',
    items: (
      [
        'pass_rate',
        'selection_f1',
        'selection_precision',
        'selection_recall',
        'parameter_accuracy',
        'accuracy',
        'f1_score',
        'precision',
        'recall',
      ] as const satisfies readonly (typeof caseRates)[number][]
    ).map(choice),
  },
  { group: 'Numbers', items: plainGateMetrics.map(choice) },
];

function choice(value: GateMetric): { value: GateMetric; label: string } {
  return { value, label: `${gateMetricWords[value]} (${value})` };
}

export function emptyGate(key: number): GateRow {
  return { key, metric: 'pass_rate', bound: 'value', side: 'min', limit: '' };
}

/**
 * Switches the metric. A rate is usually gated from below, every other number from above, and a
 * number without an interval has no bounds.
 */
export function withMetric(row: GateRow, metric: GateMetric): GateRow {
  if (isRateMetric(metric))
    return { ...row, metric, side: isRateMetric(row.metric) ? row.side : 'min' };
  return { ...row, metric, bound: 'value', side: isRateMetric(row.metric) ? 'max' : row.side };
}

/** Why a row isn't a valid gate, or null. */
export function gateFault({ metric, limit }: GateRow): string | null {
  const value = numberOf(limit);
  if (value === undefined || !Number.isFinite(value)) return 'Enter the limit of the gate.';
  if (isRateMetric(metric) && (value < 0 || value > 1)) return 'Enter a rate from 0 to 1.';
  if (value < 0) return 'Enter 0 or more.';
  return null;
}

export function toThreshold({ metric, bound, side, limit }: GateRow): Threshold {
  return { metric, bound, side, limit: numberOf(limit) ?? 0 };
}
