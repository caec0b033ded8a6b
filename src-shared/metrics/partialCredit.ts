import type { TaskRunRow } from '../domain/taskEvaluation.ts';

/**
 * Partial credit of a run = Σ weight · score ÷ Σ weight over the checks that decide, range 0–1. The
 * score of a check is 1 if it passed and 0 if it didn't, unless a program gave another one. A check
 * weighs 1 unless it says more. Advisory checks are in neither sum, and a check
 * that could not be judged has not passed. Null for a run that is not scored.
 */
export function partialCredit({
  outcome,
  checks,
}: Pick<TaskRunRow, 'outcome' | 'checks'>): number | null {
  if (outcome === null || outcome === 'not_scored') return null;
  const deciding = checks.filter(({ advisory }) => advisory !== true);
  const all = deciding.reduce((total, { weight = 1 }) => total + weight, 0);
  const met = deciding.reduce(
    (total, { weight = 1, passed, score = passed === true ? 1 : 0 }) => total + weight * score,
    0,
  );
  return all === 0 ? null : met / all;
}
