import { formatDecimal } from '../display/numbers.ts';
import { decisivePairs, mcnemarExact } from './mcnemar.ts';

/** What all proofs on one half share, and what another tool may lose at (docs/rules.md §4). */
const significance = 0.05;
/** How far the recall of all other tools together may fall, as a share. */
const recallTolerance = 0.02;

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
 * The level of the k-th candidate proved on the same half: α_k = 0.05 · 6/(π²k²) (docs/rules.md §4,
 * Proven candidates). All levels together are 0.05, so at most 5% of all rows of useless candidates
 * contain an accepted one, however long, and no verdict has to be withdrawn later. Requires k ≥ 1.
 */
export function proofLevel(rank: number): number {
  return (significance * 6) / (Math.PI * rank) ** 2;
}

/**
 * Fixed cases, with none broken, that reach the level of the k-th candidate: the least n with 2 · ½ⁿ
 * ≤ α_k.
 */
export function flipsNeeded(rank: number): number {
  return decisivePairs(proofLevel(rank));
}

export interface Flips {
  /** Failed before, passed with the candidate. */
  won: number;
  lost: number;
}

export interface ProofCounts extends Flips {
  /** Compared cases. */
  cases: number;
  /** Flips of cases that expect another tool, by tool. */
  others: readonly (Flips & { toolId: string })[];
  /**
   * Calls of other tools that all scored runs should have made, and how many of them were made,
   * before and with the candidate. Without `expectedAfter`, as many were expected as before.
   */
  otherCalls: {
    expected: number;
    before: number;
    after: number;
    expectedAfter?: number | undefined;
  };
}

export interface ProofVerdict {
  answer: 'accepted' | 'rejected' | 'cannot_tell';
  pValue: number;
  /** What the p-value had to reach: `proofLevel` of the candidate. */
  level: number;
  recallBefore: number | null;
  recallAfter: number | null;
  /** Other tools that get significantly worse. */
  losing: string[];
  reasons: string[];
}

/**
 * Accepted if wins exceed losses at p ≤ α_k (exact McNemar; `rank` is k), no other tool loses at p ≤
 * 0.05, and the recall of all other tools together falls by at most 2 points. Rejected if a guard fails or wins do not exceed losses; otherwise
 * undecided. Source: docs/rules.md §4.
 */
export function evaluateProof(
  { won, lost, others, otherCalls }: ProofCounts,
  rank: number,
): ProofVerdict {
  const pValue = mcnemarExact(lost, won);
  const level = proofLevel(rank);
  const { expected, before, after, expectedAfter = expected } = otherCalls;
  const recall = (made: number, of: number): number | null => (of === 0 ? null : made / of);
  const [recallBefore, recallAfter] = [recall(before, expected), recall(after, expectedAfter)];
  const losing = others
    .filter((one) => one.lost > one.won && mcnemarExact(one.lost, one.won) <= significance)
    .map(({ toolId }) => toolId);
  const fall = recallBefore === null || recallAfter === null ? 0 : recallBefore - recallAfter;
  const reasons = losing.map((toolId) => `${toolId} gets worse.`);
  if (fall > recallTolerance + 1e-9)
    reasons.push(`The recall of the other tools falls by ${formatDecimal(100 * fall, 1)} points.`);
  if (won <= lost)
    reasons.push(
      won === 0 && lost === 0
        ? 'No case came out differently.'
        : `It fixes ${won} and breaks ${lost}.`,
    );
  if (reasons.length > 0)
    return { answer: 'rejected', pValue, level, recallBefore, recallAfter, losing, reasons };
  if (pValue > level)
    return {
      answer: 'cannot_tell',
      pValue,
      level,
      recallBefore,
      recallAfter,
      losing,
      reasons: [
        `It fixes ${won} and breaks ${lost}, which can be chance. Proof ${rank} on this held-out half ` +
          `needs at least ${flipsNeeded(rank)} fixed with none broken.`,
      ],
    };
  return {
    answer: 'accepted',
    pValue,
    level,
    recallBefore,
    recallAfter,
    losing,
    reasons: [`It fixes ${won} and breaks ${lost}, and no other tool gets worse.`],
  };
}

/**
 * Flips to expect in the proof half if cases flip as often as in an estimate, rounded: its flips ×
 * cases of the proof half ÷ cases of the estimate. Fixed ones are at most those that can flip.
 */
export function expectedFlips(
  estimate: Flips & { cases: number },
  { proofCases, canFlip }: { proofCases: number; canFlip: number },
): Flips {
  const scaled = (count: number): number =>
    estimate.cases === 0 ? 0 : Math.round((count * proofCases) / estimate.cases);
  return { won: Math.min(scaled(estimate.won), canFlip), lost: scaled(estimate.lost) };
}

/** Whether flips would prove a candidate at a level, as far as they count alone. */
export const reachesLevel = ({ won, lost }: Flips, level: number): boolean =>
  won > lost && mcnemarExact(lost, won) <= level;
