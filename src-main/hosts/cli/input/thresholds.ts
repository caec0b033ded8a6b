import { thresholdText } from '../../../../src-shared/display/judgementTexts.ts';
import {
  gateBounds,
  gateMetrics,
  isRateMetric,
  plainGateMetrics,
  type GateOutcome,
  type Threshold,
} from '../../../../src-shared/domain/gate.ts';
import { checkThresholds, type GateNumbers } from '../../../../src-shared/metrics/gates.ts';
import { UsageError } from '../exitCodes.ts';

export type { Threshold } from '../../../../src-shared/domain/gate.ts';

const names = [...gateMetrics, ...plainGateMetrics];

/** `M=X`, where M may end in `.low` or `.high`: then the bound of the interval is compared. */
export function readThreshold(text: string, side: 'min' | 'max'): Threshold {
  const at = text.indexOf('=');
  const [name, limit] = [text.slice(0, Math.max(0, at)), at < 0 ? '' : text.slice(at + 1)];
  const bound = gateBounds.find((one) => one !== 'value' && name.endsWith(`.${one}`)) ?? 'value';
  const metric = names.find(
    (known) => known === (bound === 'value' ? name : name.slice(0, -bound.length - 1)),
  );
  const value = Number(limit);
  const noBound =
    metric !== undefined && bound !== 'value' && plainGateMetrics.some((plain) => plain === metric);
  if (!metric || noBound || limit.trim() === '' || !Number.isFinite(value)) {
    throw new UsageError(
      `--${side} ${text}: It needs the form METRIC=NUMBER, with one of ${names.join(', ')}; ` +
        'a rate may end in .low or .high, the bounds of its interval.',
    );
  }
  const isRate = isRateMetric(metric);
  if (value < 0 || (isRate && value > 1))
    throw new UsageError(
      `--${side} ${text}: ${metric} is ${isRate ? 'a rate from 0 to 1, so 80% is 0.8' : 'never below 0'}.`,
    );
  return { metric, bound, limit: value, side };
}

/** Failed and undecided gates, one sentence each. */
export interface Judged {
  failed: string[];
  notDecided: string[];
}

/**
 * Compares numbers with the thresholds. An undefined metric decides nothing: it neither passes nor
 * fails.
 */
export function judgeThresholds(numbers: GateNumbers, thresholds: readonly Threshold[]): Judged {
  const judged = checkThresholds(numbers, thresholds).map((one) => ({ ...one, model: null }));
  const texts = (outcome: GateOutcome) =>
    judged.filter((one) => one.outcome === outcome).map((one) => thresholdText(one));
  return { failed: texts('failed'), notDecided: texts('not_decided') };
}
