/** Beyond, ½ⁿ comes near the smallest number that there is. */
const maxPairsForProduct = 1000;

/** ln k! for k = 0, 1, 2, …: grown as far as it was asked for. */
const logFactorials: number[] = [0];

function logFactorial(k: number): number {
  for (let next = logFactorials.length; next <= k; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[k] ?? 0;
}

/**
 * Exact two-sided McNemar test (docs/rules.md §3, Comparisons; McNemar, Psychometrika 12 (1947)
 * 153–157, by the binomial distribution): of n = `lost` + `won` pairs that differ, each is as
 * likely to be one as the other under "no difference", so p = min(1, 2 · Σ_{i ≤ min(lost, won)}
 * C(n, i) / 2ⁿ). Whole numbers ≥ 0; range 0–1; 1 where no pair differs.
 */
export function mcnemarExact(lost: number, won: number): number {
  const n = lost + won;
  const smaller = Math.min(lost, won);
  if (lost === won) return 1;
  let tail = 0;
  if (n <= maxPairsForProduct) {
    // Term by term from ½ⁿ: what is a whole number of such parts stays one.
    for (let i = 0, term = 0.5 ** n; i <= smaller; term = (term * (n - i)) / (i + 1), i += 1)
      tail += term;
  } else {
    for (let i = 0; i <= smaller; i += 1)
      tail += Math.exp(logFactorial(n) - logFactorial(i) - logFactorial(n - i) - n * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}
