import { holm } from './holm.ts';
import { mcnemarExact } from './mcnemar.ts';

/** At or below this p a difference counts (docs/rules.md §4, Proven rewrites). */
const significance = 0.05;
/** How far the recall of all other tools together may fall, in shares of 1. */
export const recallTolerance = 0.02;

/**
 * Which half of the cases a case belongs to, by the lowest bit of the hash of its id (FNV-1a of 32
 * bits, mixed as MurmurHash3 ends): the same in every evaluation.
 */
export function halfOf(caseId: string): 'search' | 'proof' {
  let hash = 0x811c9dc5;
  for (const unit of caseId) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  // Ids that differ in their last sign alone would else fall into one half together.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) & 1) === 0 ? 'search' : 'proof';
}

/**
 * Flips from wrong to right, with none the other way, that reach p ≤ 0.05 for one more candidate
 * beside `proved` others: 2 · ½ⁿ ≤ 0.05 ÷ (proved + 1).
 */
export function flipsNeeded(proved: number): number {
  return Math.ceil(1 - Math.log2(significance / (proved + 1)) - 1e-12);
}

export interface Flips {
  /** Wrong before, right with the rewrite. */
  won: number;
  lost: number;
}

export interface ProofCounts extends Flips {
  /** Cases compared. */
  cases: number;
  /** Cases that expect some other tool, by tool. */
  others: readonly (Flips & { toolId: string })[];
  /**
   * Calls of other tools that were expected, and how many of them were made, before and with the
   * rewrite.
   */
  otherCalls: { expected: number; before: number; after: number };
}

export interface ProofVerdict {
  answer: 'accepted' | 'rejected' | 'cannot_tell';
  pValue: number;
  /** By Holm over all candidates proved on the same cases. */
  adjustedP: number;
  recallBefore: number | null;
  recallAfter: number | null;
  /** Other tools that lose. */
  losing: string[];
  reasons: string[];
}

/**
 * Accepted where wins exceed losses at p ≤ 0.05 (exact McNemar, adjusted by Holm with the p-values
 * of the candidates proved before), no other tool loses at p ≤ 0.05, and the recall of all other
 * tools together falls by no more than 2 points. Rejected where a guard fails or wins don't exceed
 * losses; else it can't be told. Source: docs/rules.md §4.
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
