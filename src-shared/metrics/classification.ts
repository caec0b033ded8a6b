import type { Counts, Metrics } from '../domain/metrics.ts';
import type { Classification } from '../domain/score.ts';
import { f1, proportion } from './intervals.ts';

export type ClassCounts = Pick<Counts, 'tp' | 'fp' | 'tn' | 'fn'>;

/** Counts of runs by class; runs without one (failed, open) are in none of the four. */
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
 * The rates by run (docs/rules.md §3, Metrics): precision = TP/(TP+FP), recall = TP/(TP+FN),
 * f1_score = 2·TP/(2·TP+FP+FN), accuracy = (TP+TN)/(TP+FP+TN+FN), with Wilson intervals at 95 %; F1
 * through J. A zero denominator gives null, never 0.
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
