import type { Estimate } from '../domain/metrics.ts';
import { wilson } from './intervals.ts';
import { studentT95, Z95 } from './studentT.ts';

/** What one case adds to numerator and denominator of a rate, 0 ≤ numerator ≤ denominator. */
export interface Share {
  numerator: number;
  denominator: number;
  /** The denominator if everything of the case were right, ≥ `denominator`, which it is if absent. */
  whole?: number;
  /** How many cases add the same; 1 if absent. */
  count?: number;
}

/** With fewer cases that have a denominator, a rate has no interval: they are too few to say. */
export const minIntervalCases = 5;

interface Sums {
  /** Cases with a denominator. A case without one says nothing about the rate. */
  n: number;
  numerator: number;
  denominator: number;
  whole: number;
}

function sumShares(cases: Iterable<Share>): Sums {
  const sums = { n: 0, numerator: 0, denominator: 0, whole: 0 };
  for (const { numerator, denominator, whole = denominator, count = 1 } of cases) {
    if (denominator === 0) continue;
    sums.n += count;
    sums.numerator += count * numerator;
    sums.denominator += count * denominator;
    sums.whole += count * whole;
  }
  return sums;
}

/**
 * The effective size m of a ratio over n ≥ 1 cases with Xᵢ > 0 (docs/rules.md §3, Intervals), > 0.
 * Two cases of weight ½ are added, one that is all right (Y = X = W̄) and one that is all wrong (Y =
 * 0, X = X̄), because few right or few wrong cases give too small a variance. With R* and ΣX* of these
 * n + 1 cases, v = (n+1)/n · Σ*(Yᵢ − R*·Xᵢ)²/(ΣX*)², and m = R*(1−R*)/v · ΣX/ΣX* · (z/tₙ)². If all is
 * right, m = n; if nothing is, m = ΣX/W̄, as many cases as could be right. m exceeds ΣXᵢ where cases
 * vary less than independent calls would.
 */
function effectiveSize(cases: Iterable<Share>, sums: Sums): number {
  const { n, numerator: y, denominator: x, whole: w } = sums;
  if (y === x) return n;
  if (y === 0) return (n * x) / w;
  // All sums times 2n: whole numbers stay whole, so that the order of the cases doesn't matter.
  const [allY, allX] = [2 * n * y + w, 2 * n * x + w + x];
  let squares = ((w / n) * (allX - allY)) ** 2 / 2 + ((x / n) * allY) ** 2 / 2;
  for (const { numerator, denominator, count = 1 } of cases)
    squares += count * (numerator * allX - allY * denominator) ** 2;
  const variance = (((n + 1) / n) * squares * (2 * n) ** 2) / allX ** 4;
  const ratio = allY / allX;
  const size = ((ratio * (1 - ratio)) / variance) * ((2 * n * x) / allX);
  return size * (Z95 / studentT95(n)) ** 2;
}

/**
 * A ratio R = Σ Yᵢ/Σ Xᵢ over cases with its 95% interval: Wilson's at (R, m), with the effective size
 * m of the cases (docs/rules.md §3, Intervals). Calls and repetitions of one case are not independent,
 * so cases are the unit, and only those with Xᵢ > 0 count. F1 has Y = 2·TP, X = 2·TP + FP + FN and W
 * = 2·max(TP + FP, TP + FN). Range 0–1; all null without a denominator, both ends null with fewer
 * than `minIntervalCases` such cases. `n` replaces the shown denominator. Sources: Kish, Survey
 * Sampling (1965); Korn and Graubard, Survey Methodology 24 (1998) 193–201; Dean and Pagano, J. Surv.
 * Stat. Methodol. 3 (2015) 484–503; for the added cases Agresti and Coull, Am. Stat. 52 (1998)
 * 119–126.
 */
export function clusteredRatio(cases: Iterable<Share>, { n }: { n?: number } = {}): Estimate {
  const sums = sumShares(cases);
  const { numerator, denominator } = sums;
  if (denominator === 0) return { value: null, low: null, high: null, n: n ?? 0 };
  const value = numerator / denominator;
  const shown = n ?? denominator;
  if (sums.n < minIntervalCases) return { value, low: null, high: null, n: shown };
  const size = effectiveSize(cases, sums);
  const interval = wilson(value * size, size);
  return {
    value,
    // The ends of 0 and 1 are exact, whatever value · size was rounded to.
    low: value === 0 ? 0 : (interval?.low ?? null),
    high: value === 1 ? 1 : (interval?.high ?? null),
    n: shown,
  };
}

/**
 * The values of `items` mapped one by one at each iteration: a list of 100,000 shares for each rate
 * would take several times the memory of the cases themselves.
 */
export function mapEach<Item, Mapped>(
  items: Iterable<Item>,
  map: (item: Item) => Mapped,
): Iterable<Mapped> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield map(item);
    },
  };
}

export interface CallCounts {
  tp: number;
  fp: number;
  fn: number;
}

/** Precision, recall and F1 over cases; n of F1 is TP + FP + FN. */
export function callRates(cases: Iterable<CallCounts>): {
  precision: Estimate;
  recall: Estimate;
  f1: Estimate;
} {
  const rate = (denominator: (one: CallCounts) => number): Estimate =>
    clusteredRatio(mapEach(cases, (one) => ({ numerator: one.tp, denominator: denominator(one) })));
  let n = 0;
  for (const { tp, fp, fn } of cases) n += tp + fp + fn;
  return {
    precision: rate(({ tp, fp }) => tp + fp),
    recall: rate(({ tp, fn }) => tp + fn),
    f1: clusteredRatio(
      mapEach(cases, ({ tp, fp, fn }) => ({
        numerator: 2 * tp,
        denominator: 2 * tp + fp + fn,
        whole: 2 * (tp + Math.max(fp, fn)),
      })),
      { n },
    ),
  };
}
