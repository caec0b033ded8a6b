import type { Share } from './clusteredInterval.ts';
import { wilson, type Interval } from './intervals.ts';
import { quantileOfSorted } from './quantile.ts';
import { binomial, createRandom, type Random } from './random.ts';

export interface BootstrapOptions {
  resamples?: number;
  seed?: number;
}

const RESAMPLES = 10_000;
const SEED = 20_250_101;

/** `count` cases with equal shares. */
interface ShareGroup extends Share {
  count: number;
}

/**
 * Groups equal shares, since a resample only needs to know how often each was drawn. Sorted, so
 * that the order of the cases has no effect.
 */
function groupShares(shares: Iterable<Share>): ShareGroup[] {
  const groups = new Map<string, ShareGroup>();
  for (const { numerator, denominator } of shares) {
    const key = `${numerator}/${denominator}`;
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { numerator, denominator, count: 1 });
  }
  return [...groups.values()].sort(
    (a, b) => a.numerator - b.numerator || a.denominator - b.denominator,
  );
}

/** One resample as a multinomial draw: for each group a binomial among the cases that are left. */
function resampleGroups(random: Random, groups: readonly ShareGroup[], cases: number): number {
  let [left, weight, numeratorSum, denominatorSum] = [cases, cases, 0, 0];
  for (const { numerator, denominator, count } of groups) {
    if (left === 0) break;
    const drawn = binomial(random, left, count / weight);
    numeratorSum += drawn * numerator;
    denominatorSum += drawn * denominator;
    left -= drawn;
    weight -= count;
  }
  return denominatorSum === 0 ? NaN : numeratorSum / denominatorSum;
}

/** One resample case by case, which is cheaper if almost all shares differ. */
function resampleCases(
  random: Random,
  numerators: Float64Array,
  denominators: Float64Array,
): number {
  const { length } = numerators;
  let numeratorSum = 0;
  let denominatorSum = 0;
  for (let draw = 0; draw < length; draw += 1) {
    const at = Math.floor(random() * length);
    numeratorSum += numerators[at] ?? 0;
    denominatorSum += denominators[at] ?? 0;
  }
  return denominatorSum === 0 ? NaN : numeratorSum / denominatorSum;
}

/**
 * The common ratio of all groups with a denominator, and their number of cases; null if two differ.
 */
function sharedRatio(groups: readonly ShareGroup[]): { ratio: number; cases: number } | null {
  let first: ShareGroup | null = null;
  let cases = 0;
  for (const group of groups) {
    if (group.denominator === 0) continue;
    first ??= group;
    if (group.numerator * first.denominator !== first.numerator * group.denominator) return null;
    cases += group.count;
  }
  return first && { ratio: first.numerator / first.denominator, cases };
}

/**
 * 95% percentile interval of Σ numerator / Σ denominator by resampling whole cases with replacement
 * (docs/rules.md §5; Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch.
 * 13). 10,000 resamples with a fixed seed, so the same shares give the same interval in any order.
 * Resamples with a denominator of 0 are left out; null if no case has a denominator.
 *
 * If all cases with a denominator have the same ratio r (all passed, all failed, or only one case),
 * every resample gives r again and the percentiles would claim a certainty that few cases cannot
 * give. The result is then Wilson's interval of r over those cases: k = r·n, n = their number.
 */
export function bootstrapRatio(
  shares: Iterable<Share>,
  options: BootstrapOptions = {},
): Interval | null {
  const groups = groupShares(shares);
  if (groups.every(({ denominator }) => denominator === 0)) return null;
  const shared = sharedRatio(groups);
  if (shared) return wilson(shared.ratio * shared.cases, shared.cases);
  const cases = groups.reduce((sum, { count }) => sum + count, 0);
  const random = createRandom(options.seed ?? SEED);
  const values = new Float64Array(options.resamples ?? RESAMPLES);
  const isByCase = cases <= 8 * groups.length;
  const each = isByCase ? groups.flatMap((group) => new Array<Share>(group.count).fill(group)) : [];
  const numerators = Float64Array.from(each, ({ numerator }) => numerator);
  const denominators = Float64Array.from(each, ({ denominator }) => denominator);
  let defined = 0;
  for (let resample = 0; resample < values.length; resample += 1) {
    const value = isByCase
      ? resampleCases(random, numerators, denominators)
      : resampleGroups(random, groups, cases);
    if (!Number.isNaN(value)) values[defined++] = value;
  }
  const sorted = values.subarray(0, defined).sort();
  const [low, high] = [quantileOfSorted(sorted, 0.025), quantileOfSorted(sorted, 0.975)];
  return low === null || high === null ? null : { low, high };
}
