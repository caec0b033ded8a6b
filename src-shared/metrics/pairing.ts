import type { Answer } from '../domain/comparison.ts';
import { holm } from './holm.ts';
import { mcnemarExact } from './mcnemar.ts';
import { neededCases } from './neededCases.ts';
import { pairedDifference, type Difference, type PairCounts } from './pairedDifference.ts';

export type CaseOutcome = 'passed' | 'failed' | 'tied' | 'not_scored';

/**
 * A case passed if more than half of its scored repetitions did, and failed if fewer than half did
 * (docs/rules.md §3, Comparisons).
 */
export function caseOutcome(passed: number, scored: number): CaseOutcome {
  if (scored === 0) return 'not_scored';
  if (2 * passed === scored) return 'tied';
  return 2 * passed > scored ? 'passed' : 'failed';
}

export interface PairedAnswer {
  difference: Difference | null;
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
 * Compares candidates with one baseline over paired cases (docs/rules.md §3, Comparisons):
 * difference by Newcombe, p by the exact McNemar test, adjusted by Holm over the candidates. The
 * answer is "better" or "worse" if the adjusted p ≤ 0.05, otherwise "cannot tell" with the
 * approximate number of cases that would show the observed difference (5 points if there was none)
 * at the observed share of differing cases. Null values if no case is paired.
 */
export function answerPairs(candidates: readonly PairCounts[]): PairedAnswer[] {
  const p = candidates.map(({ lost, won }) => mcnemarExact(lost, won));
  const paired = candidates.map(
    (pairs) => pairs.bothPassed + pairs.bothFailed + pairs.lost + pairs.won,
  );
  const pairedIndexes = candidates.map((_, at) => at).filter((at) => (paired[at] ?? 0) > 0);
  const byHolm = holm(pairedIndexes.map((at) => p[at] ?? 1));
  const adjusted = new Map(pairedIndexes.map((at, rank) => [at, byHolm[rank] ?? 1]));
  return candidates.map((pairs, at): PairedAnswer => {
    const difference = pairedDifference(pairs);
    const adjustedP = adjusted.get(at) ?? null;
    if (difference === null || adjustedP === null)
      return {
        difference: null,
        pValue: null,
        adjustedP: null,
        answer: 'cannot tell',
        needed: null,
      };
    if (adjustedP <= SIGNIFICANCE)
      return {
        difference,
        pValue: p[at] ?? 1,
        adjustedP,
        answer: difference.value > 0 ? 'better' : 'worse',
        needed: null,
      };
    const points = difference.value === 0 ? REFERENCE_POINTS : Math.abs(difference.value);
    const cases = neededCases(points, (pairs.lost + pairs.won) / (paired[at] ?? 1));
    return {
      difference,
      pValue: p[at] ?? 1,
      adjustedP,
      answer: 'cannot tell',
      needed: cases === null ? null : { cases: Math.max(cases, (paired[at] ?? 0) + 1), points },
    };
  });
}
