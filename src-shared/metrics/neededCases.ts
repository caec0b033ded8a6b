/**
 * The 97.5% and 80% quantiles of the standard normal distribution: two-sided level 5%, power 80%.
 */
const Z_ALPHA = 1.959963984540054;
const Z_POWER = 0.8416212335729143;
/** With fewer than six differing pairs no result reaches p ≤ 0.05: 2 · ½⁵ is 0.0625. */
const MIN_DIFFERING_PAIRS = 6;

/**
 * Approximate number of paired cases that would show a difference of `difference` at p ≤ 0.05 with
 * 80% power (docs/rules.md §3, Comparisons; Miettinen, Biometrics 24 (1968); Connor, Biometrics 43
 * (1987) 207–211): n = (z₁·√ψ + z₂·√(ψ − δ²))² / δ², with ψ the share of differing cases and δ the
 * difference; at least enough for six differing cases. 0 < |δ| ≤ 1; ψ is raised to |δ| if below;
 * null if δ is 0.
 */
export function neededCases(difference: number, differing: number): number | null {
  const delta = Math.abs(difference);
  if (delta === 0) return null;
  const psi = Math.min(1, Math.max(differing, delta));
  const root = Z_ALPHA * Math.sqrt(psi) + Z_POWER * Math.sqrt(Math.max(0, psi - delta * delta));
  return Math.max(
    Math.ceil((root / delta) ** 2 - 1e-9),
    Math.ceil(MIN_DIFFERING_PAIRS / psi - 1e-9),
  );
}
