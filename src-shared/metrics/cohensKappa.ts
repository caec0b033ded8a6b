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
}

/**
 * Cohen's κ of two raters with two answers: (pₒ − pₑ) ÷ (1 − pₑ), where pₒ is the share of pairs
 * with the same answer and pₑ the share that is expected if both answered independently with their
 * own rates of yes. Range −1 to 1; 1 = always the same answer, 0 = no better than chance. Null if pₑ
 * is 1: both gave one and the same answer throughout, which says nothing.
 *
 * Source: Cohen, J. A coefficient of agreement for nominal scales. Educ. Psychol. Meas. 20 (1960)
 * 37–46.
 */
export function cohensKappa({
  bothYes,
  onlyFirst,
  onlySecond,
  bothNo,
}: AgreementCounts): Agreement {
  const n = bothYes + onlyFirst + onlySecond + bothNo;
  if (n === 0) return { kappa: null, observed: null, n };
  const observed = (bothYes + bothNo) / n;
  const firstYes = (bothYes + onlyFirst) / n;
  const secondYes = (bothYes + onlySecond) / n;
  const expected = firstYes * secondYes + (1 - firstYes) * (1 - secondYes);
  // Whole numbers decide whether κ exists, because the shares are rounded.
  const constant = onlyFirst + onlySecond === 0 && (bothYes === 0 || bothNo === 0);
  return { kappa: constant ? null : (observed - expected) / (1 - expected), observed, n };
}

/** From these on, the verdicts of a judge count (docs/rules.md §3, Tasks). */
export const minKappa = 0.6;
export const minLabels = 30;

/** True if people agreed with a judge often enough for its verdicts to count. */
export const isCalibrated = ({ kappa, n }: Pick<Agreement, 'kappa' | 'n'>): boolean =>
  kappa !== null && n >= minLabels && kappa >= minKappa - 1e-9;
