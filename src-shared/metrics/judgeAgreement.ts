import type { RateEnds } from '../domain/metrics.ts';
import { minIntervalCases } from './clusteredInterval.ts';
import { cohensKappa } from './cohensKappa.ts';
import { studentT95 } from './studentT.ts';

/** What all judges said about one check of one run; null: no usable verdict. */
export interface JudgedCheck {
  taskKey: string;
  votes: readonly (boolean | null)[];
}

export interface JudgesAgreement {
  /** Checks on which every judge gave a usable verdict: what the other numbers are over. */
  n: number;
  /** The share of pairs of verdicts on one check that are the same, 0–1; null without a check. */
  observed: number | null;
  /** Cohen's κ of two judges, Fleiss' κ of more; null where all verdicts are one and the same. */
  kappa: number | null;
  interval: RateEnds;
}

/**
 * Fleiss' κ of m raters: (P̄ − Pₑ) ÷ (1 − Pₑ), with P̄ the mean over items of Σⱼ nᵢⱼ(nᵢⱼ − 1) ÷ (m(m − 1))
 * and Pₑ = Σⱼ pⱼ², pⱼ the share of all answers that are j. `counts[i][j]` is how many raters gave item
 * i the answer j; every item has the same m ≥ 2 of them. κ is null if there is one answer only, both
 * are null without an item. Range −1/(m − 1) to 1.
 *
 * Source: Fleiss, J. L. Measuring nominal scale agreement among many raters. Psychol. Bull. 76 (1971)
 * 378–382.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): {
  kappa: number | null;
  observed: number | null;
} {
  const raters = counts[0]?.reduce((sum, n) => sum + n, 0) ?? 0;
  if (raters < 2) return { kappa: null, observed: null };
  const items = counts.length;
  const totals = (counts[0] ?? []).map((_, j) =>
    counts.reduce((sum, row) => sum + (row[j] ?? 0), 0),
  );
  const same = counts.reduce((sum, row) => sum + row.reduce((each, n) => each + n * (n - 1), 0), 0);
  const observed = same / (items * raters * (raters - 1));
  const expected = totals.reduce((sum, n) => sum + (n / (items * raters)) ** 2, 0);
  // Whole numbers decide whether κ exists, because the shares are rounded.
  const constant = totals.some((n) => n === items * raters);
  return { observed, kappa: constant ? null : (observed - expected) / (1 - expected) };
}

const isUsable = (vote: boolean | null): vote is boolean => vote !== null;

function agreementOf(checks: readonly (readonly boolean[])[]): Omit<JudgesAgreement, 'interval'> {
  const n = checks.length;
  if (checks[0]?.length === 2) {
    const count = (first: boolean, second: boolean) =>
      checks.filter(([a, b]) => a === first && b === second).length;
    return cohensKappa({
      ...{ bothYes: count(true, true), bothNo: count(false, false) },
      ...{ onlyFirst: count(true, false), onlySecond: count(false, true) },
    });
  }
  const counts = checks.map((votes) => {
    const yes = votes.filter(Boolean).length;
    return [yes, votes.length - yes];
  });
  return { n, ...fleissKappa(counts) };
}

/**
 * How judges agree with each other, over the checks on which all of them gave a usable verdict. The
 * 95% interval of κ is the jackknife's by task, κ ± t·√((T − 1)/T · Σ(κ₍₋ₜ₎ − κ̄)²) with Student's t of
 * T − 1 degrees of freedom, cut at −1 and 1: runs of one task are never independent. It is null with
 * fewer than five tasks, or where κ is not defined without one of them.
 *
 * Source of the jackknife for κ: Fleiss, J. L. and Davies, M. Am. J. Epidemiol. 115 (1982) 841–845.
 */
export function judgesAgreement(checks: readonly JudgedCheck[]): JudgesAgreement {
  const whole = checks.flatMap(({ taskKey, votes }) =>
    votes.every(isUsable) ? [{ taskKey, votes }] : [],
  );
  const votesOf = (some: typeof whole) => some.map(({ votes }) => votes.filter(isUsable));
  const found = agreementOf(votesOf(whole));
  const tasks = [...new Set(whole.map(({ taskKey }) => taskKey))];
  const without = tasks.map(
    (task) => agreementOf(votesOf(whole.filter(({ taskKey }) => taskKey !== task))).kappa,
  );
  return { ...found, interval: jackknife(found.kappa, without) };
}

function jackknife(kappa: number | null, without: readonly (number | null)[]): RateEnds {
  const known = without.filter((each) => each !== null);
  const tasks = without.length;
  if (kappa === null || tasks < minIntervalCases || known.length < tasks) return null;
  const mean = known.reduce((sum, each) => sum + each, 0) / tasks;
  const squares = known.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const half = studentT95(tasks - 1) * Math.sqrt(((tasks - 1) / tasks) * squares);
  return { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) };
}
