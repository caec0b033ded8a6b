import { holm } from './holm.ts';
import { mcnemarExact } from './mcnemar.ts';

/** At or below this p-value a difference counts (docs/rules.md §4, Proven rewrites). */
const significance = 0.05;
/** How far the recall of all other tools together may fall, as a share. */
export const recallTolerance = 0.02;

/**
 * Assigns a case to a half by the lowest bit of its id's hash (32-bit FNV-1a, finalized like
 * MurmurHash3), so that it is the same in every evaluation.
 */
export function halfOf(caseId: string): 'search' | 'proof' {
  let hash = 0x811c9dc5;
  for (const unit of caseId) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  // Without the finalizer, ids that differ only in the last character would share a half.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) & 1) === 0 ? 'search' : 'proof';
}

/**
 * Fixed cases, with none broken, that reach p ≤ 0.05 for one more candidate after `proved` others:
 * 2 · ½ⁿ ≤ 0.05 ÷ (proved + 1).
 */
export function flipsNeeded(proved: number): number {
  return Math.ceil(1 - Math.log2(significance / (proved + 1)) - 1e-12);
}

export interface Flips {
  /** Failed before, passed with the rewrite. */
  won: number;
  lost: number;
}

export interface ProofCounts extends Flips {
  /** Compared cases. */
  cases: number;
  /** Flips of cases that expect another tool, by tool. */
  others: readonly (Flips & { toolId: string })[];
  /** Expected calls of other tools, and how many of them were made before and with the rewrite. */
  otherCalls: { expected: number; before: number; after: number };
}

export interface ProofVerdict {
  answer: 'accepted' | 'rejected' | 'cannot_tell';
  pValue: number;
  /** Adjusted by Holm over all candidates proved on the same cases. */
  adjustedP: number;
  recallBefore: number | null;
  recallAfter: number | null;
  /** Other tools that get significantly worse. */
  losing: string[];
  reasons: string[];
}

/**
 * Accepted if wins exceed losses at p ≤ 0.05 (exact McNemar, adjusted by Holm with the p-values of
 * earlier candidates), no other tool loses at p ≤ 0.05, and the recall of all other tools together
 * falls by at most 2 points. Rejected if a guard fails or wins do not exceed losses; otherwise
 * undecided. Source: docs/rules.md §4.
 */
export function evaluateProof(
  { won, lost, others, otherCalls }: ProofCounts,
  provedBefore: readonly number[],
): ProofVerdict {
  const pValue = mcnemarExact(lost, won);
  const adjustedP = holm([...provedBefore, pValue]).at(-1) ?? 1;
  const recall = (made: number): number | null =>
    otherCalls.expected === 0 ? null : made / otherCalls.expected;
  const [recallBefore, recallAfter] = [recall(otherCalls.before), recall(otherCalls.after)];
  const losing = others
    .filter((one) => one.lost > one.won && mcnemarExact(one.lost, one.won) <= significance)
    .map(({ toolId }) => toolId);
  const fall = recallBefore === null || recallAfter === null ? 0 : recallBefore - recallAfter;
  const reasons = losing.map((toolId) => `${toolId} loses by it.`);
  if (fall > recallTolerance + 1e-9)
    reasons.push(`The recall of the other tools falls by ${(fall * 100).toFixed(1)} points.`);
  if (won <= lost)
    reasons.push(
      won === 0 && lost === 0
        ? 'No case came out differently.'
        : `It wins ${won} and loses ${lost}.`,
    );
  if (reasons.length > 0)
    return { answer: 'rejected', pValue, adjustedP, recallBefore, recallAfter, losing, reasons };
  if (adjustedP > significance)
    return {
      answer: 'cannot_tell',
      pValue,
      adjustedP,
      recallBefore,
      recallAfter,
      losing,
      reasons: [`It wins ${won} and loses ${lost}: too few to tell it from chance.`],
    };
  return {
    answer: 'accepted',
    pValue,
    adjustedP,
    recallBefore,
    recallAfter,
    losing,
    reasons: [`It wins ${won} and loses ${lost}, and no other tool loses.`],
  };
}
