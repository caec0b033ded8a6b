import type { TaskRunRow } from '../domain/taskEvaluation.ts';

/**
 * Partial credit of a run = Σ weights of the checks that passed ÷ Σ weights of the checks that decide,
 * range 0–1. A check weighs 1 unless it says more. Advisory checks are in neither sum, and a check
 * that could not be judged has not passed. Null for a run that is not scored.
 */
export function partialCredit({
  outcome,
  checks,
}: Pick<TaskRunRow, 'outcome' | 'checks'>): number | null {
  if (outcome === null || outcome === 'not_scored') return null;
  const deciding = checks.filter(({ advisory }) => advisory !== true);
  const sum = (some: typeof deciding) => some.reduce((total, { weight = 1 }) => total + weight, 0);
  const all = sum(deciding);
  return all === 0 ? null : sum(deciding.filter(({ passed }) => passed === true)) / all;
}
