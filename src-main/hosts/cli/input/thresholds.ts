import { formatExact } from '../../../../src-shared/display/numbers.ts';
import type { EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import {
  gateBounds,
  gateMetrics,
  plainGateMetrics,
  type ThresholdResult,
  type Threshold,
} from '../../../../src-shared/domain/gate.ts';
import { gateNumbers } from '../../../../src-shared/metrics/gateNumbers.ts';
import {
  checkThresholds as judge,
  type GateNumbers,
} from '../../../../src-shared/metrics/gates.ts';
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
  return { metric, bound, limit: value, side };
}

/** Failed and undecided gates, one sentence each. */
export interface Judged {
  failed: string[];
  notDecided: string[];
}

/**
 * Compares a summary with the thresholds. An undefined metric decides nothing: it neither passes
 * nor fails.
 */
export function judgeThresholds(
  summary: EvaluationSummary,
  thresholds: readonly Threshold[],
): Judged {
  return inWords(judge(gateNumbers(summary), thresholds));
}

export function judgeNumbers(numbers: GateNumbers, thresholds: readonly Threshold[]): Judged {
  return inWords(judge(numbers, thresholds));
}

function inWords(judged: readonly ThresholdResult[]): Judged {
  const named = ({ threshold: { metric, bound } }: ThresholdResult) =>
    bound === 'value' ? metric : `${metric}.${bound}`;
  return {
    failed: judged
      .filter(({ outcome }) => outcome === 'failed')
      .map(
        (one) =>
          `${named(one)} is ${formatExact(one.value)}, ` +
          `${one.threshold.side === 'min' ? 'below' : 'above'} ${one.threshold.limit}`,
      ),
    notDecided: judged
      .filter(({ outcome }) => outcome === 'not_decided')
      .map((one) => `${named(one)} is not defined`),
  };
}
