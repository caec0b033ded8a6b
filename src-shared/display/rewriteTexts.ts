import type { ProofPlan, Rewrite } from '../domain/rewrite.ts';
import { counted, formatCount, formatPValue } from './numbers.ts';

/** What a candidate's proof says, in one sentence. */
export function proofSentence({ proof, state, search }: Rewrite): string {
  if (proof === null)
    return search === null
      ? 'Not estimated and not verified.'
      : 'Not verified: this is an estimate on cases that the edit was written for.';
  const counts = `${formatCount(proof.won)} held-out ${proof.won === 1 ? 'case' : 'cases'} and broke ${proof.lost === 0 ? 'none' : formatCount(proof.lost)}`;
  switch (state) {
    case 'accepted':
      return `Verified: the edit fixed ${counts}.`;
    case 'rejected':
      return `Not better: the edit fixed ${counts}.`;
    default:
      return `Not decided: the edit fixed ${counts}, which could be chance.`;
  }
}

/** Whether a proof can decide, before it is spent. */
export function planSentence({ canFlip, flipsNeeded, level, moreCases }: ProofPlan): string {
  return moreCases > 0
    ? `Only ${counted(canFlip, 'held-out case')} can decide it, and the proof needs at least ` +
        `${flipsNeeded} fixed. Add about ${counted(moreCases, 'case')} first.`
    : `${counted(canFlip, 'held-out case')} can decide it. The proof needs at least ` +
        `${flipsNeeded} fixed and none broken (p ≤ ${formatPValue(level)}).`;
}
