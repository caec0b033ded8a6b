import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type { Objective } from '../../src-shared/domain/optimization.ts';
import { tokensMargin } from '../../src-shared/domain/optimization.ts';
import { mcnemarExact } from '../../src-shared/metrics/mcnemar.ts';
import { nonInferiorityP } from '../../src-shared/metrics/nonInferiority.ts';
import {
  evaluateProof,
  proofLevel,
  type ProofCounts,
} from '../../src-shared/metrics/candidateProof.ts';

export interface OptimizationVerdict {
  answer: 'accepted' | 'rejected' | 'cannot_tell';
  /** Which claim was tested: more cases pass, or fewer tokens without a loss. */
  test: 'superiority' | 'non_inferiority';
  pValue: number;
  /** What the p-value had to reach. */
  level: number;
  reasons: string[];
}

/**
 * The verdict on the one candidate that is tried on the proof half.
 *
 * For `accuracy`, the rules of proven candidates. For `tokens`, or `both` where the search found no
 * higher pass rate, fewer tokens are proved if the pass rate is not worse by 2 points: one-sided
 * score test for paired proportions at the level of the candidate's rank; a significant loss (exact
 * McNemar, 0.05) rejects. The level comes from `proofLevel` for both, because both use up the same
 * half. Source: docs/rules.md §4, Optimizer.
 * @param rank number of the candidate among all proved on the cases of the suite, ≥ 1
 * @param savedTokens tokens of all tools before − after
 * @param claim what the search found
 */
export function judgeProof(
  counts: ProofCounts,
  rank: number,
  {
    savedTokens,
    claim,
    unit = 'case',
  }: { savedTokens: number; claim: Exclude<Objective, 'both'>; unit?: EvaluationUnit },
): OptimizationVerdict {
  if (claim === 'accuracy') {
    const { answer, pValue, level, reasons } = evaluateProof(counts, rank);
    return { answer, test: 'superiority', pValue, level, reasons };
  }
  const { won, lost } = counts;
  const level = proofLevel(rank);
  const pValue = nonInferiorityP(counts, tokensMargin);
  const verdict = { test: 'non_inferiority' as const, pValue, level };
  if (savedTokens <= 0) return { ...verdict, answer: 'rejected', reasons: ['It saves no tokens.'] };
  if (lost > won && mcnemarExact(lost, won) <= 0.05)
    return {
      ...verdict,
      answer: 'rejected',
      reasons: [`It fixes ${won} and breaks ${lost}.`],
    };
  if (pValue > level)
    return {
      ...verdict,
      answer: 'cannot_tell',
      reasons: [
        `It fixes ${won} and breaks ${lost}, but ${counts.cases} ${unit}s are too few to rule out a loss of 2 points.`,
      ],
    };
  return {
    ...verdict,
    answer: 'accepted',
    reasons: [`It fixes ${won} and breaks ${lost}: a loss of 2 points is ruled out.`],
  };
}
