import type { EvaluationDocument } from './shapes.ts';
import { UsageError } from './exitCodes.ts';

export interface Threshold {
  metric: keyof EvaluationDocument['metrics'];
  bound: 'value' | 'low' | 'high';
  limit: number;
  side: 'min' | 'max';
}

const names = ['selection_precision', 'selection_recall', 'selection_f1', 'precision', 'recall', 'f1_score', 'accuracy', 'parameter_accuracy'] as const;

/** `M=X`, where M may end in `.low` or `.high`: then the bound of the interval is compared. */
export function readThreshold(text: string, side: 'min' | 'max'): Threshold {
  const [, name = '', bound = 'value', limit = ''] = /^([a-z0-9_]+)(?:\.(low|high))?=(.+)$/.exec(text) ?? [];
  const metric = names.find((known) => known === name);
  const value = Number(limit);
  if (!metric || limit.trim() === '' || !Number.isFinite(value)) {
    throw new UsageError(`--${side} ${text}: It needs the form METRIC=NUMBER or METRIC.low=NUMBER, with one of ${names.join(', ')}.`);
  }
  return { metric, bound: bound as Threshold['bound'], limit: value, side };
}

export interface Judged {
  failed: string[];
  notDecided: string[];
}

/** A metric that is not defined decides nothing: it neither passes nor fails. */
export function judgeThresholds(document: EvaluationDocument, thresholds: readonly Threshold[]): Judged {
  const judged: Judged = { failed: [], notDecided: [] };
  for (const { metric, bound, limit, side } of thresholds) {
    const value = document.metrics[metric][bound];
    const named = bound === 'value' ? metric : `${metric}.${bound}`;
    if (value === null) judged.notDecided.push(`${named} is not defined`);
    else if (side === 'min' ? value < limit : value > limit) judged.failed.push(`${named} is ${value.toFixed(4)}, ${side === 'min' ? 'below' : 'above'} ${limit}`);
  }
  return judged;
}
