/**
 * The intervals of docs/rules.md §3, written a second time from that page: plainly, case by case, and
 * by another way to the quantile of Student's distribution.
 */
export interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number;
}

/** What one case adds to numerator and denominator. */
export interface CaseShare {
  y: number;
  x: number;
  /** The denominator if all of the case were right; x where that can't change it. */
  w?: number;
}

/** Fewer cases than these are too few for an interval. */
const minCases = 5;

const z = 1.959963984540054;

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Wilson's interval of a rate over m independent items. */
export function wilsonOf(rate: number, m: number): { low: number; high: number } {
  const center = rate + (z * z) / (2 * m);
  const spread = z * Math.sqrt((rate * (1 - rate)) / m + (z * z) / (4 * m * m));
  const scale = 1 + (z * z) / m;
  return {
    low: rate === 0 ? 0 : Math.max(0, (center - spread) / scale),
    high: rate === 1 ? 1 : Math.min(1, (center + spread) / scale),
  };
}

/** k of n independent items. */
export function proportionOf(k: number, n: number): Interval {
  return n === 0
    ? { value: null, low: null, high: null, n: 0 }
    : { value: k / n, ...wilsonOf(k / n, n), n };
}

/**
 * Σ y ÷ Σ x over the cases that add to the denominator; `n` is what is shown as the denominator. Its
 * variance is that of these cases and of two with half the weight, one all right and one all wrong.
 */
export function ratioOf(cases: readonly CaseShare[], n = sum(cases.map(({ x }) => x))): Interval {
  const touching = cases.filter(({ x }) => x > 0);
  const count = touching.length;
  if (count === 0) return { value: null, low: null, high: null, n };
  const y = sum(touching.map((one) => one.y));
  const x = sum(touching.map((one) => one.x));
  const rate = y / x;
  if (count < minCases) return { value: rate, low: null, high: null, n };
  if (rate === 1) return { value: 1, ...wilsonOf(1, count), n };
  const right = sum(touching.map((one) => one.w ?? one.x)) / count;
  if (rate === 0) return { value: 0, ...wilsonOf(0, x / right), n };
  const wrong = x / count;
  const weighted = [
    ...touching.map((one) => ({ ...one, weight: 1 })),
    { y: right, x: right, weight: 0.5 },
    { y: 0, x: wrong, weight: 0.5 },
  ];
  const total = sum(weighted.map((one) => one.weight * one.x));
  const middle = sum(weighted.map((one) => one.weight * one.y)) / total;
  const squares = sum(weighted.map((one) => one.weight * (one.y - middle * one.x) ** 2));
  const variance = (((count + 1) / count) * squares) / total ** 2;
  const size = ((middle * (1 - middle)) / variance) * (x / total);
  return { value: rate, ...wilsonOf(rate, size * (z / student(count)) ** 2), n };
}

const quantiles = new Map<number, number>();

/** The 97.5 % point of Student's distribution, by bisection of the incomplete beta function. */
export function student(degrees: number): number {
  const known = quantiles.get(degrees);
  if (known !== undefined) return known;
  let [low, high] = [1.9, 13];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    const outside = incompleteBeta(degrees / (degrees + middle * middle), degrees / 2, 0.5);
    if (outside > 0.05) low = middle;
    else high = middle;
  }
  quantiles.set(degrees, (low + high) / 2);
  return (low + high) / 2;
}

/** I_x(a, b) by its continued fraction, in Lentz's order. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let fraction = d;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return (front * fraction) / a;
}

const nonZero = (value: number, tiny: number): number => (Math.abs(value) < tiny ? tiny : value);

/** ln Γ by Stirling's series, after the argument was raised to 15. */
export function logGamma(argument: number): number {
  let [x, shift] = [argument, 0];
  while (x < 15) {
    shift += Math.log(x);
    x += 1;
  }
  const series =
    1 / (12 * x) -
    1 / (360 * x ** 3) +
    1 / (1260 * x ** 5) -
    1 / (1680 * x ** 7) +
    1 / (1188 * x ** 9);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
