/** Uniform numbers in [0, 1). The same seed gives the same numbers on every machine. */
export type Random = () => number;

/** Expands a seed into well-mixed words (the finalizer of MurmurHash3 over a Weyl sequence). */
function seedSequence(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return word ^ (word >>> 16);
  };
}

/** xoshiro128+ (Blackman and Vigna, 2018), 32 bits per number: small, fast, period 2¹²⁸ − 1. */
export function createRandom(seed: number): Random {
  const next = seedSequence(seed);
  let [a, b, c, d] = [next(), next(), next(), next() | 1];
  return () => {
    const result = (a + d) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result / 4294967296;
  };
}

/** By inversion, for n·p < 10, where few steps suffice. */
function binomialByInversion(random: Random, n: number, p: number): number {
  const odds = p / (1 - p);
  let chance = Math.pow(1 - p, n);
  let left = random();
  let k = 0;
  while (left > chance && k < n) {
    left -= chance;
    k += 1;
    chance *= (odds * (n - k + 1)) / k;
  }
  return k;
}

/** Stirling's correction: ln k! − [(k+½)·ln(k+1) − (k+1) + ½·ln 2π]. */
function stirlingTail(k: number): number {
  const table = [
    0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509,
    0.01664469118982119,
  ];
  const known = table[k];
  if (known !== undefined) return known;
  const m = k + 1;
  const mm = m * m;
  return (1 / 12 - (1 / 360 - 1 / 1260 / mm) / mm) / m;
}

/**
 * By transformed rejection (BTRS; Hörmann, J. Stat. Comput. Simul. 46 (1993) 101–110), for n·p ≥ 10
 * and p ≤ ½. Constant cost for any n.
 */
function binomialByRejection(random: Random, n: number, p: number): number {
  const deviation = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const center = n * p + 0.5;
  const edge = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const odds = p / (1 - p);
  const mode = Math.floor((n + 1) * p);
  for (;;) {
    const u = random() - 0.5;
    let v = random();
    const distance = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / distance + b) * u + center);
    if (distance >= 0.07 && v <= edge) return k;
    if (k < 0 || k > n) continue;
    v = Math.log((v * alpha) / (a / (distance * distance) + b));
    const bound =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (n - mode + 1))) +
      (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
      stirlingTail(mode) +
      stirlingTail(n - mode) -
      stirlingTail(k) -
      stirlingTail(n - k);
    if (v <= bound) return k;
  }
}

/**
 * Number of successes in n independent trials with probability p: exact, 0 ≤ result ≤ n. n is an
 * integer ≥ 0; p is clamped to 0–1.
 */
export function binomial(random: Random, n: number, p: number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(random, n, 1 - p);
  return n * p < 10 ? binomialByInversion(random, n, p) : binomialByRejection(random, n, p);
}
