import type { Interval } from './intervals.ts';
import { mcnemarExact } from './mcnemar.ts';
import { binomial, createRandom } from './random.ts';
import { Z95 } from './studentT.ts';

/** 0 is in the interval exactly if p > 0.05. */
export interface SignFlip extends Interval {
  /** Mean difference over the cases. */
  value: number;
  p: number;
}

const LEVEL = 0.05;
const FLIPS = 20_000;
const SEED = 20_250_101;
/** Differences of shares that are closer than this are equal. */
const ROUNDING = 1e-9;

/** Cases with equal differences. */
interface Group {
  value: number;
  count: number;
}

/**
 * Sign-flip test of the mean difference over cases, each −1 to 1 (docs/rules.md §3, Comparisons;
 * Fisher, The Design of Experiments, 1935, §21): under "no difference" each case is as likely to
 * differ by d as by −d, so p is the share of sign flips with a mean at least as far from 0 as the
 * observed one. Exact if all differences that are not 0 have one size (one repetition: McNemar's
 * test), otherwise from 20,000 seeded flips. The interval holds every shift δ that the same test of
 * dᵢ − δ does not reject at 5%, and is never narrower than `minInterval`. Null without cases.
 */
export function signFlip(differences: readonly number[]): SignFlip | null {
  const n = differences.length;
  if (n === 0) return null;
  const groups = groupEqual(differences);
  const sizes = new Set(groups.map(({ value }) => Math.abs(value)));
  sizes.delete(0);
  const [size = 1] = sizes;
  const countOf = (value: number): number =>
    groups.find((group) => group.value === value)?.count ?? 0;
  const inverted =
    sizes.size > 1
      ? flipGroups(groups, n)
      : flipExactly(countOf(size), countOf(-size), countOf(0), size);
  return widen(inverted, minInterval(groups, n));
}

/**
 * The adjusted interval of Bonett and Price (J. Educ. Behav. Stat. 37 (2012) 479–488): mean and
 * variance with one more case of 1 and one of −1. A shift moves all cases alike, so few differing
 * cases among many equal ones would give an inverted interval that is too narrow (none at all: no
 * width), which holds the true difference in as few as a third of all samples.
 */
function minInterval(groups: readonly Group[], n: number): Interval {
  const [sum, squares] = groups.reduce(
    ([first, second], { value, count }) => [first + value * count, second + value ** 2 * count],
    [0, 2],
  );
  const mean = sum / (n + 2);
  const half = Z95 * Math.sqrt(Math.max(0, squares / (n + 2) - mean ** 2) / (n + 2));
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}

/** Takes the outer ends, but never lets 0 in where the test rejects it. */
function widen({ value, low, high, p }: SignFlip, outer: Interval): SignFlip {
  if (p > LEVEL)
    return { value, low: Math.min(0, low, outer.low), high: Math.max(0, high, outer.high), p };
  return {
    value,
    low: value > 0 && outer.low <= 0 ? low : Math.min(low, outer.low),
    high: value < 0 && outer.high >= 0 ? high : Math.max(high, outer.high),
    p,
  };
}

function groupEqual(differences: readonly number[]): Group[] {
  const counts = new Map<number, number>();
  for (const difference of differences) {
    // Adding 0 turns −0 into 0.
    const value = Math.round(difference / ROUNDING) * ROUNDING + 0;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value);
}

/**
 * From flips drawn as one binomial per group, so that the cost does not grow with the cases. A flip
 * with the sums A = Σ sᵢ·dᵢ and B = Σ sᵢ is at least as far out as the observed D for every δ with
 * |A − δ·B| ≥ |D − δ·n|: an interval around D/n. So all δ are tested by the same flips at once, and p
 * never increases away from D/n.
 */
function flipGroups(groups: readonly Group[], n: number): SignFlip {
  const total = groups.reduce((sum, { value, count }) => sum + value * count, 0);
  const random = createRandom(SEED);
  const [lows, highs] = [new Float64Array(FLIPS), new Float64Array(FLIPS)];
  let reached = 0;
  for (let flip = 0; flip < FLIPS; flip += 1) {
    let [a, b] = [0, 0];
    for (const { value, count } of groups) {
      const sign = 2 * binomial(random, count, 0.5) - count;
      a += sign * value;
      b += sign;
    }
    const everywhere = Math.abs(b) === n;
    const one = everywhere ? -1 : clean((total - a) / (n - b));
    const other = everywhere ? 1 : clean((total + a) / (n + b));
    lows[flip] = Math.min(one, other);
    highs[flip] = Math.max(one, other);
    if (Math.min(one, other) <= 0 && Math.max(one, other) >= 0) reached += 1;
  }
  // The observed signs are a flip too, so no p is 0; δ is kept if p = (1 + reached)/(1 + flips) > 5%.
  const kept = Math.floor(LEVEL * (FLIPS + 1) - 1) + 1;
  return {
    value: total / n,
    low: Math.max(-1, lows.sort()[kept - 1] ?? -1),
    high: Math.min(1, highs.sort()[FLIPS - kept] ?? 1),
    p: (1 + reached) / (1 + FLIPS),
  };
}

const clean = (value: number): number => (Math.abs(value) < ROUNDING ? 0 : value);

/** One size of difference: `won` cases differ by it, `lost` by its negative, `same` by 0. */
function flipExactly(won: number, lost: number, same: number, size: number): SignFlip {
  const n = won + lost + same;
  const value = (won - lost) / n;
  const p = mcnemarExact(lost, won);
  const test = shiftedTest(won, lost, same);
  const limit = 1 / size;
  const end = (outer: number): number => {
    if (test(outer) > LEVEL) return outer;
    let [inside, outside] = [value, outer];
    // Where 0 lies between, it decides first: the end is then on the side that p says.
    if (Math.min(inside, outside) < 0 && Math.max(inside, outside) > 0) {
      if (p > LEVEL) inside = 0;
      else outside = 0;
    }
    for (let step = 0; step < 40; step += 1) {
      const middle = (inside + outside) / 2;
      if (test(middle) > LEVEL) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  return { value: value * size, low: end(-limit) * size, high: end(limit) * size, p };
}

/**
 * The p-value of a shift δ, in units of the size of the differences. The sums a, b and c of the signs
 * of won, lost and same cases are binomial, and S = (a − b) − δ·(a + b + c) is symmetric, so p = 2·P(S ≥
 * |D − δ·n|); a and b are summed over, c by its distribution.
 */
function shiftedTest(won: number, lost: number, same: number): (shift: number) => number {
  const [wins, losses, rest] = [halves(won), halves(lost), halves(same)];
  const survival = survivalOf(rest.chances);
  const n = won + lost + same;
  return (shift) => {
    const observed = Math.abs(won - lost - shift * n);
    if (observed < ROUNDING) return 1;
    const scale = Math.abs(shift);
    let tail = 0;
    for (const [i, winChance] of wins.chances.entries()) {
      const a = 2 * (wins.from + i) - won;
      for (const [j, lossChance] of losses.chances.entries()) {
        const b = 2 * (losses.from + j) - lost;
        const missing = observed - (a - b - shift * (a + b)) - ROUNDING;
        if (scale * same < missing) continue;
        const least = scale === 0 ? 0 : Math.ceil((missing / scale + same) / 2) - rest.from;
        tail += winChance * lossChance * (least <= 0 ? 1 : (survival[least] ?? 0));
      }
    }
    return Math.min(1, 2 * tail);
  };
}

/** Binomial(n, ½) from its first chance that matters at all; chances below 1e-16 of the peak are 0. */
function halves(n: number): { from: number; chances: Float64Array } {
  const middle = Math.floor(n / 2);
  const weights = new Map<number, number>([[middle, 1]]);
  let sum = 1;
  const walk = (direction: 1 | -1): void => {
    for (let k = middle, weight = 1; ;) {
      weight *= direction === 1 ? (n - k) / (k + 1) : k / (n - k + 1);
      k += direction;
      if (weight < 1e-16) return;
      weights.set(k, weight);
      sum += weight;
    }
  };
  walk(1);
  walk(-1);
  const from = Math.min(...weights.keys());
  const chances = new Float64Array(weights.size);
  for (const [k, weight] of weights) chances[k - from] = weight / sum;
  return { from, chances };
}

/** P(K ≥ from + i) for each i. */
function survivalOf(chances: Float64Array): Float64Array {
  const survival = Float64Array.from(chances);
  for (let at = survival.length - 2; at >= 0; at -= 1)
    survival[at] = (survival[at] ?? 0) + (survival[at + 1] ?? 0);
  return survival;
}
