import type { Counts } from '../domain/metrics.ts';
import type { Classification } from '../domain/score.ts';

type ClassCounts = Pick<Counts, 'tp' | 'fp' | 'tn' | 'fn'>;

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
