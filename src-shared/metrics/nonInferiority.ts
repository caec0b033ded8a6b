/**
 * One-sided p-value of "the pass rate is not worse by `margin` or more" from paired cases: `won` and
 * `lost` of `cases` differ.
 *
 * Score test for the difference of two paired proportions: T = (won − lost + n·Δ) / √(n·(2q̃ −
 * Δ(1 + Δ))), where q̃ is the share of losses that fits best to a difference of exactly −Δ; p = 1 −
 * Φ(T). Source: Tango, Statistics in Medicine 17 (1998) 891–908. Range 0–1; 1 without cases. `won +
 * lost ≤ cases`, 0 < margin < 1.
 */
export function nonInferiorityP(
  { won, lost, cases }: { won: number; lost: number; cases: number },
  margin: number,
): number {
  if (cases === 0) return 1;
  const n = cases;
  const difference = -margin;
  const a = 2 * n;
  const b = -won - lost + (2 * n - won + lost) * difference;
  const c = -lost * difference * (1 - difference);
  const losses = (Math.sqrt(Math.max(0, b * b - 4 * a * c)) - b) / (2 * a);
  const variance = n * (2 * losses + difference * (1 - difference));
  const score = won - lost - n * difference;
  if (variance <= 0) return score > 0 ? 0 : 1;
  return 1 - normalBelow(score / Math.sqrt(variance));
}

/**
 * The fewest cases of which none may differ, so that a loss of `margin` is ruled out at `level`: the
 * least n with `nonInferiorityP({ won: 0, lost: 0, cases: n }, margin) ≤ level`. p falls with n.
 * 0 < level < 1, 0 < margin < 1. For 2 points: 173 at the level of the first proof, 0.0304.
 */
export function casesToRuleOut(margin: number, level: number): number {
  const rulesOut = (cases: number): boolean =>
    nonInferiorityP({ won: 0, lost: 0, cases }, margin) <= level;
  let high = 1;
  while (!rulesOut(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (rulesOut(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The standard normal distribution function; absolute error below 1.5e-7 (Abramowitz and Stegun
 * 7.1.26).
 */
function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-x * x);
  return z >= 0 ? 1 - tail / 2 : tail / 2;
}
