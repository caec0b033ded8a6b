import type { Interval } from './intervals.ts';
import { quantileOfSorted } from './quantile.ts';
import { binomial, createRandom, type Random } from './random.ts';

/** What one case adds to the two sums of a rate. */
export interface Share {
  numerator: number;
  denominator: number;
}

export interface BootstrapOptions {
  resamples?: number;
  seed?: number;
}

const RESAMPLES = 10_000;
const SEED = 20_250_101;

interface Kinds {
  numerators: number[];
  denominators: number[];
  counts: number[];
  cases: number;
}

/** Cases that add the same are one kind: a resample needs to know only how often each kind was drawn. */
function toKinds(shares: Iterable<Share>): Kinds {
  const places = new Map<string, number>();
  const kinds: Kinds = { numerators: [], denominators: [], counts: [], cases: 0 };
  for (const { numerator, denominator } of shares) {
    const key = `${numerator}/${denominator}`;
    let place = places.get(key);
    if (place === undefined) {
      places.set(key, (place = kinds.counts.length));
      kinds.numerators.push(numerator);
      kinds.denominators.push(denominator);
      kinds.counts.push(0);
    }
    kinds.counts[place] = (kinds.counts[place] ?? 0) + 1;
    kinds.cases += 1;
  }
  return kinds;
}

/** One resample as a multinomial draw over the kinds: a binomial for each kind among what is left. */
function drawByKind(random: Random, { numerators, denominators, counts, cases }: Kinds): number {
  let [left, weight, top, bottom] = [cases, cases, 0, 0];
  for (let kind = 0; kind < counts.length && left > 0; kind += 1) {
    const count = counts[kind]!;
    const drawn = binomial(random, left, count / weight);
    top += drawn * numerators[kind]!;
    bottom += drawn * denominators[kind]!;
    left -= drawn;
    weight -= count;
  }
  return bottom === 0 ? NaN : top / bottom;
}

/** One resample case by case: cheaper where hardly two cases are alike. */
function drawByCase(random: Random, { numerators, denominators, cases }: Kinds, kindOf: Uint32Array): number {
  let [top, bottom] = [0, 0];
  for (let draw = 0; draw < cases; draw += 1) {
    const kind = kindOf[Math.floor(random() * cases)]!;
    top += numerators[kind]!;
    bottom += denominators[kind]!;
  }
  return bottom === 0 ? NaN : top / bottom;
}

/**
 * 95 % percentile interval of Σ numerator / Σ denominator by resampling whole cases with replacement (docs/rules.md §3, Metrics; Efron and
 * Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13): 10,000 resamples from a fixed seed, so the same shares always give the same ends,
 * in whatever order they come. Resamples whose denominator is 0 have no value and are left out; null where no resample has one.
 */
export function bootstrapRatio(shares: Iterable<Share>, options: BootstrapOptions = {}): Interval | null {
  const unordered = toKinds(shares);
  const order = [...unordered.counts.keys()].sort(
    (a, b) => unordered.numerators[a]! - unordered.numerators[b]! || unordered.denominators[a]! - unordered.denominators[b]!,
  );
  const kinds: Kinds = {
    numerators: order.map((place) => unordered.numerators[place]!),
    denominators: order.map((place) => unordered.denominators[place]!),
    counts: order.map((place) => unordered.counts[place]!),
    cases: unordered.cases,
  };
  if (kinds.denominators.every((denominator) => denominator === 0)) return null;
  const random = createRandom(options.seed ?? SEED);
  const values = new Float64Array(options.resamples ?? RESAMPLES);
  const byCase = kinds.cases <= 8 * kinds.counts.length;
  const kindOf = Uint32Array.from(byCase ? kinds.counts.flatMap((count, kind) => new Array<number>(count).fill(kind)) : []);
  let defined = 0;
  for (let resample = 0; resample < values.length; resample += 1) {
    const value = byCase ? drawByCase(random, kinds, kindOf) : drawByKind(random, kinds);
    if (!Number.isNaN(value)) values[defined++] = value;
  }
  const sorted = values.subarray(0, defined).sort();
  const [low, high] = [quantileOfSorted(sorted, 0.025), quantileOfSorted(sorted, 0.975)];
  return low === null || high === null ? null : { low, high };
}
