import { draws } from './draws.ts';
import { logGamma } from './intervals.ts';

/** docs/rules.md §3, Comparisons, a second time. Each case has one difference, from −1 to 1. */
export interface FlipTest {
  value: number;
  /** The range of each number: a single point where it is exact, wider where flips are drawn. */
  p: [number, number];
  low: [number, number];
  high: [number, number];
}

const level = 0.05;
const z = 1.959963984540054;
const tiny = 1e-9;

const factorials: number[] = [];
/** ln n! */
const logFactorial = (n: number): number => (factorials[n] ??= logGamma(n + 1));
/** ln of how many ways there are to take k of n. */
const logWays = (n: number, k: number): number =>
  logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** P(K = k) of n fair coins. */
const coin = (n: number, k: number): number => Math.exp(logWays(n, k) - n * Math.LN2);

/** Two-sided, exact: as many cases as `a` and `b` went each way. */
function fairCoinTest(a: number, b: number): number {
  let tail = 0;
  for (let k = 0; k <= Math.min(a, b); k += 1) tail += coin(a + b, k);
  return a === b ? 1 : Math.min(1, 2 * tail);
}

/** More sums of signs than this are not enumerated. */
const maxEnumerated = 200_000;

export function flipTest(differences: readonly number[]): FlipTest {
  const n = differences.length;
  const value = differences.reduce((sum, one) => sum + one, 0) / n;
  const sizes = differences.map(Math.abs).filter((size) => size > tiny);
  const size = sizes[0] ?? 1;
  const won = differences.filter((one) => one > tiny).length;
  const lost = sizes.length - won;
  const isExact = sizes.every((one) => Math.abs(one - size) < tiny);
  const many = (won + 1) * (lost + 1) * (n - won - lost + 1) > maxEnumerated;
  const test =
    isExact && !many ? exactTest(won, lost, n - won - lost, size) : drawnTest(differences);
  const p: [number, number] = isExact ? [fairCoinTest(won, lost), fairCoinTest(won, lost)] : test.p;
  return widened({ ...test, value, p }, outerOf(differences));
}

/** Every sum of signs of the three kinds of cases with its chance. */
function exactTest(won: number, lost: number, same: number, size: number): Omit<FlipTest, 'value'> {
  const n = won + lost + same;
  const value = (won - lost) / n;
  const p = fairCoinTest(won, lost);
  const pOf = (shift: number): number => {
    const seen = Math.abs(won - lost - shift * n);
    let chance = 0;
    for (let i = 0; i <= won; i += 1)
      for (let j = 0; j <= lost; j += 1)
        for (let k = 0; k <= same; k += 1) {
          const [a, b, c] = [2 * i - won, 2 * j - lost, 2 * k - same];
          if (Math.abs(a - b - shift * (a + b + c)) >= seen - tiny)
            chance += coin(won, i) * coin(lost, j) * coin(same, k);
        }
    return chance;
  };
  const limitOf = (outer: number): number => {
    if (pOf(outer) > level) return outer;
    let [kept, rejected] = [value, outer];
    if (Math.min(kept, rejected) < 0 && Math.max(kept, rejected) > 0) {
      if (p > level) kept = 0;
      else rejected = 0;
    }
    for (let step = 0; step < 34; step += 1) {
      const middle = (kept + rejected) / 2;
      if (pOf(middle) > level) kept = middle;
      else rejected = middle;
    }
    return kept;
  };
  const [low, high] = [limitOf(-1 / size) * size, limitOf(1 / size) * size];
  // Nine digits: the ends are found by halving, and equal sums differ by their rounding.
  return { p: [p, p], low: [low - 1e-7, low + 1e-7], high: [high - 1e-7, high + 1e-7] };
}

/** 20,000 flips of our own: each number lies in a range of four standard errors of both draws. */
function drawnTest(differences: readonly number[]): Omit<FlipTest, 'value'> {
  const flips = 20_000;
  const n = differences.length;
  const total = differences.reduce((sum, one) => sum + one, 0);
  const [lows, highs]: [number[], number[]] = [[], []];
  let reached = 1;
  const draw = draws();
  for (let flip = 0; flip < flips; flip += 1) {
    let [a, b] = [0, 0];
    for (const difference of differences) {
      const sign = draw(2) === 1 ? 1 : -1;
      a += sign * difference;
      b += sign;
    }
    const one = b === n ? -1 : (total - a) / (n - b);
    const other = b === -n ? 1 : (total + a) / (n + b);
    const ends = Math.abs(b) === n ? [-1, 1] : [one, other];
    lows.push(Math.min(...ends));
    highs.push(Math.max(...ends));
    if (Math.min(...ends) <= tiny && Math.max(...ends) >= -tiny) reached += 1;
  }
  lows.sort((x, y) => x - y);
  highs.sort((x, y) => x - y);
  const error = (share: number) => 4 * Math.sqrt((2 * share * (1 - share)) / flips) + 2 / flips;
  const p = reached / (flips + 1);
  const band = error(level);
  const at = (sorted: number[], share: number): number =>
    Math.max(
      -1,
      Math.min(1, sorted[Math.floor(Math.max(0, Math.min(1, share)) * (flips - 1))] ?? 0),
    );
  return {
    p: [Math.max(0, p - error(p)), Math.min(1, p + error(p))],
    low: [at(lows, level - band), at(lows, level + band)],
    high: [at(highs, 1 - level - band), at(highs, 1 - level + band)],
  };
}

/** Bonett and Price: mean and variance with one more case of 1 and one of −1. */
function outerOf(differences: readonly number[]): { low: number; high: number } {
  const all = [...differences, 1, -1];
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const variance = all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length;
  const half = z * Math.sqrt(variance / all.length);
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}

/** At least as wide as `outer`, but 0 is inside exactly if p > 0.05. */
function widened(test: FlipTest, outer: { low: number; high: number }): FlipTest {
  const rejects = (test.p[0] + test.p[1]) / 2 <= level;
  const ends = (range: [number, number], change: (end: number) => number): [number, number] => [
    change(range[0]),
    change(range[1]),
  ];
  const lowEnd = (end: number): number => {
    if (!rejects) return Math.min(0, end, outer.low);
    return test.value > 0 && outer.low <= 0 ? end : Math.min(end, outer.low);
  };
  const highEnd = (end: number): number => {
    if (!rejects) return Math.max(0, end, outer.high);
    return test.value < 0 && outer.high >= 0 ? end : Math.max(end, outer.high);
  };
  return { ...test, low: ends(test.low, lowEnd), high: ends(test.high, highEnd) };
}

/**
 * The chance that n cases show a difference in the right direction at `alpha`, if a share ψ of them
 * differs and the mean difference is δ.
 */
export function powerOf(n: number, psi: number, delta: number, alpha: number): number {
  const losing = (psi - delta) / (2 * psi);
  let power = 0;
  for (let pairs = 1; pairs <= n; pairs += 1) {
    const chance = binomial(n, pairs, psi);
    if (chance < 1e-15) continue;
    let [nullTail, found] = [0, 0];
    for (let k = 0; k < pairs / 2; k += 1) {
      nullTail += coin(pairs, k);
      if (2 * nullTail > alpha * (1 + 1e-9)) break;
      found += binomial(pairs, k, losing);
    }
    power += chance * found;
  }
  return power;
}

function binomial(n: number, k: number, p: number): number {
  if (p <= 0) return Number(k === 0);
  if (p >= 1) return Number(k === n);
  return Math.exp(logWays(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
}
