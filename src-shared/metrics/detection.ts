import type { Estimate } from '../domain/metrics.ts';
import type {
  CorpusEntry,
  DetectionScore,
  DetectorReport,
  ThresholdPoint,
} from '../domain/security.ts';
import { attackCategories } from '../domain/security.ts';
import { clusteredRatio } from './clusteredInterval.ts';
import { proportion } from './intervals.ts';

/**
 * A detector's verdict on one entry. `score` is 0–1 for detectors with thresholds, 0 or 1 for
 * others.
 */
export interface Verdict {
  flagged: boolean;
  score: number;
}

export type LabelledEntry = Pick<CorpusEntry, 'id' | 'label' | 'category'>;

export interface Threshold {
  name: string;
  /** Flagged if the score is at least this. */
  from: number;
}

/**
 * Counts and rates over entries (docs/rules.md §9): recall = TP ÷ (TP + FN), FPR = FP ÷ (FP + TN),
 * precision = TP ÷ (TP + FP), with 95% Wilson intervals; F1 as in §3. Range 0–1; null if the
 * denominator is 0. An entry without a verdict counts as not flagged.
 */
export function scoreDetection(
  entries: readonly LabelledEntry[],
  flagged: (id: string) => boolean,
): DetectionScore {
  let tp = 0;
  let fp = 0;
  let tn = 0;
  let fn = 0;
  for (const { id, label } of entries) {
    const hit = flagged(id);
    if (label === 'malicious') {
      if (hit) tp += 1;
      else fn += 1;
    } else if (hit) fp += 1;
    else tn += 1;
  }
  return {
    tp,
    fp,
    tn,
    fn,
    precision: proportion(tp, tp + fp),
    recall: proportion(tp, tp + fn),
    f1: f1OfEntries(tp, fp, fn),
    fpr: proportion(fp, fp + tn),
  };
}

/** F1 with each entry as a case of its own: a hit adds 2 of 2, an error 0 of 1. */
function f1OfEntries(tp: number, fp: number, fn: number): Estimate {
  return clusteredRatio(
    [
      { numerator: 2, denominator: 2, count: tp },
      { numerator: 0, denominator: 1, whole: 2, count: fp + fn },
    ],
    { n: tp + fp + fn },
  );
}

/**
 * Precision, recall and FPR at each threshold, from the strictest to the loosest. Null if the
 * denominator is 0.
 */
function thresholdCurve(
  entries: readonly LabelledEntry[],
  score: (id: string) => number,
  thresholds: readonly Threshold[],
): ThresholdPoint[] {
  return thresholds.map(({ name, from }) => {
    const { precision, recall, fpr } = scoreDetection(entries, (id) => score(id) >= from);
    return { threshold: name, precision: precision.value, recall: recall.value, fpr: fpr.value };
  });
}

/**
 * The report of one detector: overall score, honest texts that resemble attacks, each category,
 * and the threshold curve.
 */
export function detectorReport(
  detector: string,
  entries: readonly LabelledEntry[],
  verdicts: ReadonlyMap<string, Verdict>,
  thresholds: readonly Threshold[] = [],
  spread: DetectorReport['spread'] = null,
): DetectorReport {
  const flagged = (id: string) => verdicts.get(id)?.flagged ?? false;
  const share = (part: readonly LabelledEntry[]) => {
    const hits = part.filter(({ id }) => flagged(id)).length;
    return { flagged: hits, rate: proportion(hits, part.length) };
  };
  const ids = (label: LabelledEntry['label'], wrong: (id: string) => boolean) =>
    entries.filter((entry) => entry.label === label && wrong(entry.id)).map(({ id }) => id);
  const hardNegativeShare = share(entries.filter(({ category }) => category === 'hard_negative'));
  return {
    detector,
    ...scoreDetection(entries, flagged),
    hardNegatives: { flagged: hardNegativeShare.flagged, fpr: hardNegativeShare.rate },
    categories: [...attackCategories, 'benign', 'hard_negative'].map((category) => ({
      category,
      ...share(entries.filter((entry) => entry.category === category)),
    })),
    curve: thresholdCurve(entries, (id) => verdicts.get(id)?.score ?? 0, thresholds),
    spread,
    falseAlarms: ids('benign', flagged),
    missed: ids('malicious', (id) => !flagged(id)),
  };
}

/**
 * Attacks that only this detector finds, in the order of the reports: those that every other one
 * misses, so that they would be missed without it. A single detector finds all of its attacks alone.
 */
export function countFoundAlone(
  reports: readonly Pick<DetectorReport, 'tp' | 'missed'>[],
): number[] {
  const timesMissed = new Map<string, number>();
  for (const { missed } of reports)
    for (const id of missed) timesMissed.set(id, (timesMissed.get(id) ?? 0) + 1);
  const others = reports.length - 1;
  return reports.map(({ tp, missed }) => {
    if (others === 0) return tp;
    const own = new Set(missed);
    return [...timesMissed].filter(([id, times]) => times === others && !own.has(id)).length;
  });
}

/** Combines detectors: an entry is flagged if any of them flags it, and gets the highest score. */
export function combineVerdicts(
  all: readonly ReadonlyMap<string, Verdict>[],
): Map<string, Verdict> {
  const combined = new Map<string, Verdict>();
  for (const verdicts of all) {
    for (const [id, { flagged, score }] of verdicts) {
      const known = combined.get(id);
      combined.set(id, {
        flagged: flagged || (known?.flagged ?? false),
        score: Math.max(score, known?.score ?? 0),
      });
    }
  }
  return combined;
}
