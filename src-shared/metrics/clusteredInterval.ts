import type { Estimate } from '../domain/metrics.ts';
import { wilson } from './intervals.ts';
import { studentT95, Z95 } from './studentT.ts';

/** What one case adds to numerator and denominator of a rate, 0 ≤ numerator ≤ denominator. */
export interface Share {
  numerator: number;
  denominator: number;
  /** How many cases add the same; 1 if absent. */
  count?: number;
}

/** Beyond this effective size, what is left of the variance is rounding. */
const maxEffectiveSize = 1e12;

/**
 * The effective size m of a ratio R over n cases (docs/rules.md §3, Intervals): m = R(1−R)/v ·
 * (z/t₍n−1₎)², with v = n/(n−1) · Σ(Yᵢ − R·Xᵢ)²/(ΣXᵢ)². If R is 0 or 1 or v is 0, m = number of cases
 * with Xᵢ > 0; so a single case gives m = 1. m exceeds ΣXᵢ where cases vary less than independent
 * calls would. Null if no case has a denominator.
 */
function effectiveSize(cases: Iterable<Share>, untouched: number): number | null {
  const [y, x] = sumShares(cases);
  let [n, counting] = [untouched, 0];
  for (const { denominator, count = 1 } of cases) {
    n += count;
    if (denominator > 0) counting += count;
  }
  if (x === 0) return null;
  // Whole numbers stay whole: equal shares give a sum of exactly 0.
  let squares = 0;
  for (const { numerator, denominator, count = 1 } of cases)
    squares += count * (numerator * x - y * denominator) ** 2;
  if (squares === 0 || y === 0 || y === x || n === 1) return counting;
  const variance = ((n / (n - 1)) * squares) / x ** 4;
  const size = ((y / x) * (1 - y / x)) / variance;
  return size > maxEffectiveSize ? counting : size * (Z95 / studentT95(n - 1)) ** 2;
}

function sumShares(cases: Iterable<Share>): [numerator: number, denominator: number] {
  let [y, x] = [0, 0];
  for (const { numerator, denominator, count = 1 } of cases) {
    y += count * numerator;
    x += count * denominator;
  }
  return [y, x];
}

/**
 * A ratio Σ Yᵢ/Σ Xᵢ over cases with its 95% interval: Wilson's at the effective size of the cases
 * (docs/rules.md §3, Intervals). Calls and repetitions of one case are not independent, so cases are
 * the unit. F1 has Y = 2·TP and X = 2·TP + FP + FN. Range 0–1; all null without a denominator.
 * `untouched` counts further cases that add nothing to this rate, and `n` replaces the shown
 * denominator. Sources: Kish, Survey Sampling (1965); Korn and Graubard, Survey Methodology 24 (1998)
 * 193–201; Dean and Pagano, J. Surv. Stat. Methodol. 3 (2015) 484–503.
 */
export function clusteredRatio(
  cases: Iterable<Share>,
  { untouched = 0, n }: { untouched?: number; n?: number } = {},
): Estimate {
  const [y, x] = sumShares(cases);
  const size = effectiveSize(cases, untouched);
  if (size === null) return { value: null, low: null, high: null, n: n ?? 0 };
  const value = y / x;
  const interval = wilson(value * size, size);
  return {
    value,
    // The ends of 0 and 1 are exact, whatever value · size was rounded to.
    low: value === 0 ? 0 : (interval?.low ?? null),
    high: value === 1 ? 1 : (interval?.high ?? null),
    n: n ?? x,
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
export function callRates(
  cases: Iterable<CallCounts>,
  untouched = 0,
): { precision: Estimate; recall: Estimate; f1: Estimate } {
  const rate = (denominator: (one: CallCounts) => number): Estimate =>
    clusteredRatio(
      mapEach(cases, (one) => ({ numerator: one.tp, denominator: denominator(one) })),
      { untouched },
    );
  let n = 0;
  for (const { tp, fp, fn } of cases) n += tp + fp + fn;
  return {
    precision: rate(({ tp, fp }) => tp + fp),
    recall: rate(({ tp, fn }) => tp + fn),
    f1: clusteredRatio(
      mapEach(cases, ({ tp, fp, fn }) => ({ numerator: 2 * tp, denominator: 2 * tp + fp + fn })),
      { untouched, n },
    ),
  };
}
