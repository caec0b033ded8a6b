import { logBinomial } from './mcnemar.ts';
import { Z95 } from './studentT.ts';

/** The 80% quantile of the standard normal distribution. */
const Z_POWER = 0.8416212335729143;
const POWER = 0.8;
/** With more differing pairs, the normal approximation is exact to a tenth of a percent of power. */
const maxExactPairs = 100_000;

/**
 * The least number of cases of which the exact McNemar test at `level` (two-sided) shows a difference
 * in the right direction with 80% power (docs/rules.md §3, Comparisons). `differing` is the share ψ
 * of cases that differ, `difference` the difference δ: of the differing cases, (ψ + |δ|)/2ψ go its
 * way. Power is summed over the binomial number of differing cases; the returned number and all that
 * follow have at least 80%. 0 < |δ| ≤ 1; ψ is raised to |δ| if below; null if δ is 0. Beyond 100,000
 * differing cases by the normal approximation of Connor, Biometrics 43 (1987) 207–211.
 */
export function neededCases(difference: number, differing: number, level = 0.05): number | null {
  const delta = Math.abs(difference);
  if (delta === 0) return null;
  const psi = Math.min(1, Math.max(differing, delta));
  const root = Z95 * Math.sqrt(psi) + Z_POWER * Math.sqrt(Math.max(0, psi - delta * delta));
  const approximate = Math.ceil((root / delta) ** 2 - 1e-9);
  if (approximate * psi > maxExactPairs) return approximate;
  const detected = detection((psi - delta) / (2 * psi), level);
  let high = Math.max(8, approximate);
  while (power(high, psi, detected) < POWER) high *= 2;
  let low = 0;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (power(middle, psi, detected) < POWER) low = middle;
    else high = middle;
  }
  // Power moves in teeth of about two more differing cases: it must not fall below again.
  const tooth = Math.ceil(10 / psi);
  for (let ahead = high + 1; ahead <= high + tooth; ahead += 1)
    if (power(ahead, psi, detected) < POWER) high = ahead + 1;
  return high;
}

/**
 * The chance that m differing pairs are rejected in the right direction, if each is lost with
 * probability `losing`. Extended pair by pair: P(K₍ₘ₊₁₎ ≤ k) = P(Kₘ ≤ k) − p·P(Kₘ = k).
 */
function detection(losing: number, level: number): (pairs: number) => number {
  const chances = [0];
  // The most losses that are still rejected, and the two distributions up to there.
  let [most, underNull, actual] = [-1, 0, 0];
  const at = (pairs: number, losses: number, p: number): number =>
    p === 0
      ? Number(losses === 0)
      : Math.exp(
          logBinomial(pairs, losses) + losses * Math.log(p) + (pairs - losses) * Math.log1p(-p),
        );
  return (pairs) => {
    for (let m = chances.length; m <= pairs; m += 1) {
      if (most >= 0) {
        underNull -= 0.5 * at(m - 1, most, 0.5);
        actual -= losing * at(m - 1, most, losing);
      }
      for (;;) {
        const next = at(m, most + 1, 0.5);
        if (most + 1 >= m / 2 || 2 * (underNull + next) > level * (1 + 1e-9)) break;
        most += 1;
        underNull += next;
        actual += at(m, most, losing);
      }
      chances.push(Math.max(0, actual));
    }
    return chances[pairs] ?? 0;
  };
}

/** The chance of a rejection with n cases, of which a binomial number differs. */
function power(n: number, psi: number, detected: (pairs: number) => number): number {
  if (psi === 1) return detected(n);
  const spread = 9 * Math.sqrt(n * psi * (1 - psi)) + 9;
  const last = Math.min(n, Math.ceil(n * psi + spread));
  let sum = 0;
  for (let pairs = Math.max(0, Math.floor(n * psi - spread)); pairs <= last; pairs += 1)
    sum +=
      detected(pairs) *
      Math.exp(logBinomial(n, pairs) + pairs * Math.log(psi) + (n - pairs) * Math.log1p(-psi));
  return sum;
}
