import { describe, expect, it } from 'vitest';
import { threshold } from '../domain/gate.ts';
import { checkThresholds, describeThreshold, type GateNumbers } from './gates.ts';

const rate = (value: number | null, low: number | null, high: number | null) => ({
  value,
  low,
  high,
  n: 10,
});
const numbers: GateNumbers = {
  pass_rate: rate(0.7, 0.5, 0.85),
  selection_precision: rate(0.8, 0.6, 0.9),
  selection_recall: rate(null, null, null),
  selection_f1: rate(0.8, null, null),
  precision: null,
  recall: null,
  f1_score: null,
  accuracy: null,
  parameter_accuracy: null,
  'latency_ms.p50': 12,
  'latency_ms.p95': null,
  'tokens.input': 0,
  'tokens.output': null,
  cost_usd: null,
  duration_ms: 5,
  'counts.failed': 0,
};
const judge = (metric: string, side: 'min' | 'max', limit: number, bound = 'value') =>
  checkThresholds(numbers, [threshold.parse({ metric, side, limit, bound })])[0]?.outcome;

describe('checkThresholds', () => {
  it('passes when the limit is just reached, and uses the requested bound', () => {
    expect(judge('selection_precision', 'min', 0.8)).toBe('passed');
    expect(judge('selection_precision', 'max', 0.8)).toBe('passed');
    expect(judge('selection_precision', 'min', 0.7, 'low')).toBe('failed');
    expect(judge('selection_precision', 'max', 0.85, 'high')).toBe('failed');
    expect(judge('pass_rate', 'min', 0.6, 'low')).toBe('failed');
    expect(judge('pass_rate', 'max', 0.9, 'high')).toBe('passed');
    expect(judge('counts.failed', 'max', 0)).toBe('passed');
    expect(judge('latency_ms.p50', 'max', 10)).toBe('failed');
  });

  it('does not decide on an undefined metric', () => {
    expect(judge('selection_recall', 'min', 0)).toBe('not_decided');
    expect(judge('selection_f1', 'min', 0, 'low')).toBe('not_decided');
    expect(judge('cost_usd', 'max', 1)).toBe('not_decided');
    expect(judge('latency_ms.p50', 'max', 1, 'high')).toBe('not_decided');
  });

  it('describes a threshold by its metric, bound and limit', () => {
    expect(
      describeThreshold(
        threshold.parse({ metric: 'selection_f1', bound: 'low', side: 'min', limit: 0.8 }),
      ),
    ).toBe('selection_f1.low ≥ 0.8');
  });
});
