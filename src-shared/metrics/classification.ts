import type { Counts, Metrics } from '../domain/metrics.ts';
import type { Classification } from '../domain/score.ts';
import { f1, proportion } from './intervals.ts';

export type ClassCounts = Pick<Counts, 'tp' | 'fp' | 'tn' | 'fn'>;

/** Counts runs by class. Runs without a class (failed, open) are not counted. */
export function countClasses(classes: Iterable<Classification | null>): ClassCounts {
  const counts: ClassCounts = { tp: 0, fp: 0, tn: 0, fn: 0 };
  for (const one of classes) {
    if (one === 'TP') counts.tp += 1;
    else if (one === 'FP') counts.fp += 1;
    else if (one === 'TN') counts.tn += 1;
    else if (one === 'FN') counts.fn += 1;
  }
  return counts;
}

/**
 * Rates by run (docs/rules.md §3, Metrics): precision = TP/(TP+FP), recall = TP/(TP+FN), f1_score =
 * 2·TP/(2·TP+FP+FN), accuracy = (TP+TN)/(TP+FP+TN+FN). 95% Wilson intervals, for F1 mapped from J.
 * Range 0–1; a zero denominator gives null, never 0.
 */
export function classificationMetrics({
  tp,
  fp,
  tn,
  fn,
}: ClassCounts): Pick<Metrics, 'precision' | 'recall' | 'f1Score' | 'accuracy'> {
  return {
    precision: proportion(tp, tp + fp),
    recall: proportion(tp, tp + fn),
    f1Score: f1(tp, fp, fn),
    accuracy: proportion(tp + tn, tp + fp + tn + fn),
  };
}
