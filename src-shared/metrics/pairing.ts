import type { Answer } from '../domain/comparison.ts';
import { holm } from './holm.ts';
import type { Interval } from './intervals.ts';
import { neededCases } from './neededCases.ts';
import { signFlip } from './signFlip.ts';

export type CaseOutcome = 'passed' | 'failed' | 'tied' | 'not_scored';

/**
 * A case is listed as passed if more than half of its scored repetitions did, and as failed if fewer
 * than half did (docs/rules.md §3, Comparisons).
 */
export function caseOutcome(passed: number, scored: number): CaseOutcome {
  if (scored === 0) return 'not_scored';
  if (2 * passed === scored) return 'tied';
  return 2 * passed > scored ? 'passed' : 'failed';
}

export interface PairedAnswer {
  difference: (Interval & { value: number }) | null;
  pValue: number | null;
  adjustedP: number | null;
  answer: Answer;
  needed: { cases: number; points: number } | null;
}

/** At or below this adjusted p-value a difference counts. */
export const SIGNIFICANCE = 0.05;
/** Difference assumed for the number of needed cases if none was seen. */
const REFERENCE_POINTS = 0.05;

/**
 * Compares candidates with one baseline (docs/rules.md §3, Comparisons). Each candidate is its list
 * of differences over the shared cases: pass share of the candidate − pass share of the baseline,
 * from all repetitions. Difference, interval and p by the sign-flip test, adjusted by Holm over the
 * candidates. The answer is "better" or "worse" if the adjusted p ≤ 0.05, otherwise "cannot tell"
 * with the number of cases that would show the observed difference (5 points if there was none) at
 * the observed share of differing cases. Null values without shared cases.
 */
export function answerPairs(candidates: readonly (readonly number[])[]): PairedAnswer[] {
  const tests = candidates.map(signFlip);
  const tested = tests.filter((test) => test !== null);
  const adjusted = holm(tested.map(({ p }) => p));
  return tests.map((test, at): PairedAnswer => {
    if (test === null) return undecided;
    const { p: pValue, ...difference } = test;
    const adjustedP = adjusted[tested.indexOf(test)] ?? 1;
    const decided = adjustedP <= SIGNIFICANCE;
    return {
      difference,
      pValue,
      adjustedP,
      answer: decided ? (difference.value > 0 ? 'better' : 'worse') : 'cannot tell',
      needed: decided ? null : casesFor(candidates[at] ?? [], SIGNIFICANCE / tested.length),
    };
  });
}

/** The answer without a shared case. */
export const undecided: PairedAnswer = {
  difference: null,
  pValue: null,
  adjustedP: null,
  answer: 'cannot tell',
  needed: null,
};

/**
 * Cases with repetitions differ by parts of 1. They tell as much as a share (Σ|d|)²/(n·Σd²) of cases
 * that differ by Σd²/Σ|d| each; with one repetition this is the share of differing cases.
 */
function casesFor(differences: readonly number[], level: number): PairedAnswer['needed'] {
  const n = differences.length;
  let [sum, sizes, squares] = [0, 0, 0];
  for (const difference of differences) {
    sum += difference;
    sizes += Math.abs(difference);
    squares += difference ** 2;
  }
  const points = Math.abs(sum) < 1e-9 ? REFERENCE_POINTS : Math.abs(sum) / n;
  const size = sizes === 0 ? 1 : squares / sizes;
  const differing = squares === 0 ? 0 : sizes ** 2 / (n * squares);
  const cases = neededCases(Math.min(1, points / size), differing, level);
  return cases === null ? null : { cases: Math.max(cases, n + 1), points };
}
