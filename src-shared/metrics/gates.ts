import type { GateMetric, ThresholdResult, Threshold } from '../domain/gate.ts';
import type { Estimate } from '../domain/metrics.ts';

/** Numbers that a gate can check: rates with their intervals, and plain numbers. */
export type GateNumbers = Partial<Record<GateMetric, Estimate | number | null>>;

/**
 * Checks each threshold (docs/rules.md §3, Gates): `min` fails below the limit, `max` above it. An
 * undefined number or bound neither passes nor fails.
 */
export function checkThresholds(
  numbers: GateNumbers,
  thresholds: readonly Threshold[],
): ThresholdResult[] {
  return thresholds.map((threshold): ThresholdResult => {
    const found = numbers[threshold.metric] ?? null;
    const value =
      typeof found === 'number' || found === null
        ? threshold.bound === 'value'
          ? found
          : null
        : found[threshold.bound];
    if (value === null) return { threshold, value, outcome: 'not_decided' };
    const fails = threshold.side === 'min' ? value < threshold.limit : value > threshold.limit;
    return { threshold, value, outcome: fails ? 'failed' : 'passed' };
  });
}

/** `selection_f1.low ≥ 0.8` */
export function describeThreshold({ metric, bound, side, limit }: Threshold): string {
  return `${metric}${bound === 'value' ? '' : `.${bound}`} ${side === 'min' ? '≥' : '≤'} ${limit}`;
}
