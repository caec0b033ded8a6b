/**
 * The 97.5 % and the 80 % point of the standard normal distribution: 5 % two-sided, found four
 * times of five.
 */
const Z_ALPHA = 1.959963984540054;
const Z_POWER = 0.8416212335729143;
/** Below six differing pairs no split of them reaches p ≤ 0.05: 2 · ½⁵ is 0.0625. */
const MIN_DIFFERING_PAIRS = 6;

/**
 * About how many paired cases would show a difference of `difference` at p ≤ 0.05 with a power of
 * 80 % (docs/rules.md §3, Comparisons; Miettinen, Biometrics 24 (1968); Connor, Biometrics 43
 * (1987) 207–211): n = (z₁·√ψ + z₂·√(ψ − δ²))² / δ², ψ the share of cases that differ, δ the
 * difference; never so few that fewer than six of them would differ. 0 < |δ| ≤ 1; ψ below |δ| is
 * taken as |δ|; null where δ is 0.
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
