import type { RateEnds } from '../domain/metrics.ts';
import { Z95 } from './studentT.ts';

/** How often two raters said yes or no about the same things. */
export interface AgreementCounts {
  bothYes: number;
  /** Only the first rater said yes. */
  onlyFirst: number;
  onlySecond: number;
  bothNo: number;
}

export interface Agreement {
  /** Null if chance alone explains the agreement fully, or without a pair. */
  kappa: number | null;
  /** Share of pairs with the same answer, 0–1; null without a pair. */
  observed: number | null;
  n: number;
  /** The 95% interval of κ; null where κ is, or where it says nothing because all or none agree. */
  interval: RateEnds;
}

/**
 * Cohen's κ of two raters with two answers: (pₒ − pₑ) ÷ (1 − pₑ), where pₒ is the share of pairs
 * with the same answer and pₑ the share that is expected if both answered independently with their
 * own rates of yes. Range −1 to 1; 1 = always the same answer, 0 = no better than chance. Null if pₑ
 * is 1: both gave one and the same answer throughout, which says nothing.
 *
 * The interval is κ ± z·SE, cut at −1 and 1, with the variance for large n
 * [Σᵢ pᵢᵢ(1 − (pᵢ. + p.ᵢ)(1 − κ))² + (1 − κ)² Σᵢ≠ⱼ pᵢⱼ(p.ᵢ + pⱼ.)² − (κ − pₑ(1 − κ))²] ÷ (n(1 − pₑ)²). It takes
 * the pairs for independent.
 *
 * Sources: Cohen, J. A coefficient of agreement for nominal scales. Educ. Psychol. Meas. 20 (1960)
 * 37–46; Fleiss, J. L., Cohen, J. and Everitt, B. S. Psychol. Bull. 72 (1969) 323–327.
 */
export function cohensKappa({
  bothYes,
  onlyFirst,
  onlySecond,
  bothNo,
}: AgreementCounts): Agreement {
  const n = bothYes + onlyFirst + onlySecond + bothNo;
  if (n === 0) return { kappa: null, observed: null, n, interval: null };
  const observed = (bothYes + bothNo) / n;
  const firstYes = (bothYes + onlyFirst) / n;
  const secondYes = (bothYes + onlySecond) / n;
  const expected = firstYes * secondYes + (1 - firstYes) * (1 - secondYes);
  // Whole numbers decide whether κ exists, because the shares are rounded.
  const constant = onlyFirst + onlySecond === 0 && (bothYes === 0 || bothNo === 0);
  const kappa = constant ? null : (observed - expected) / (1 - expected);
  if (kappa === null) return { kappa, observed, n, interval: null };
  const [no, both] = [1 - kappa, [firstYes + secondYes, 2 - firstYes - secondYes]];
  const agreed =
    (bothYes / n) * (1 - (both[0] ?? 0) * no) ** 2 + (bothNo / n) * (1 - (both[1] ?? 0) * no) ** 2;
  const apart =
    (onlyFirst / n) * (secondYes + 1 - firstYes) ** 2 +
    (onlySecond / n) * (1 - secondYes + firstYes) ** 2;
  const variance =
    (agreed + no ** 2 * apart - (kappa - expected * no) ** 2) / (n * (1 - expected) ** 2);
  const half = Z95 * Math.sqrt(Math.max(0, variance));
  // Without a disagreement the variance is 0, which says nothing.
  const interval =
    half < 1e-9 ? null : { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) };
  return { kappa, observed, n, interval };
}

/** From these on, the verdicts of a judge count (docs/rules.md §3, Tasks). */
export const minKappa = 0.6;
export const minLabels = 30;

/** True if people agreed with a judge often enough for its verdicts to count. */
export const isCalibrated = ({ kappa, n }: Pick<Agreement, 'kappa' | 'n'>): boolean =>
  kappa !== null && n >= minLabels && kappa >= minKappa - 1e-9;
