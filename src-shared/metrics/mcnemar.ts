/** Above this, ½ⁿ approaches the smallest double. */
const maxPairsForProduct = 1000;

/** ln k! for k = 0, 1, 2, …, extended on demand. */
const logFactorials: number[] = [0];

function logFactorial(k: number): number {
  for (let next = logFactorials.length; next <= k; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[k] ?? 0;
}

/** ln C(n, k) for integers 0 ≤ k ≤ n. */
export function logBinomial(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/**
 * Exact two-sided McNemar test (docs/rules.md §3, Comparisons; McNemar, Psychometrika 12 (1947)
 * 153–157, with the binomial distribution): under "no difference", each of the n = `lost` + `won`
 * differing pairs is equally likely to go either way, so p = min(1, 2 · Σ_{i ≤ min(lost, won)} C(n,
 * i) / 2ⁿ). Integers ≥ 0; range 0–1; 1 if no pair differs.
 */
export function mcnemarExact(lost: number, won: number): number {
  const n = lost + won;
  const smaller = Math.min(lost, won);
  if (lost === won) return 1;
  let tail = 0;
  if (n <= maxPairsForProduct) {
    // Starting from ½ⁿ keeps every term an exact multiple of it.
    for (let i = 0, term = 0.5 ** n; i <= smaller; term = (term * (n - i)) / (i + 1), i += 1)
      tail += term;
  } else {
    for (let i = 0; i <= smaller; i += 1) tail += Math.exp(logBinomial(n, i) - n * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}

/**
 * The fewest pairs that can decide at a level: the least n with `mcnemarExact(0, n)` = 2 · ½ⁿ ≤
 * `level`, for 0 < level < 1. With fewer, no result is significant.
 */
export const decisivePairs = (level: number): number => Math.ceil(1 - Math.log2(level));
