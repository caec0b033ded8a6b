import type { ProofPlan, Candidate, CandidateState } from '../domain/candidate.ts';
import { expectedFlips, reachesLevel } from '../metrics/candidateProof.ts';
import { counted, formatCount, formatPValue, noun } from './numbers.ts';

/** The states of a candidate, for people. */
export const candidateStateTexts: Record<CandidateState, string> = {
  draft: 'Draft',
  searching: 'Estimating',
  searched: 'Estimated',
  proving: 'Proving',
  accepted: 'Proven',
  rejected: 'Rejected',
  cannot_tell: 'Undecided',
  applied: 'Applied',
  out_of_date: 'Out of date',
};

/** What a candidate's proof says, in one sentence. */
export function proofSentence({
  proof,
  state,
  search,
  unit,
}: Pick<Candidate, 'proof' | 'state' | 'search' | 'unit'>): string {
  if (state === 'proving') return 'Not proven yet: the proof hasn’t finished.';
  if (proof === null)
    return search === null
      ? 'Not estimated and not proven.'
      : `Not proven: this is an estimate on ${unit}s that the candidate was written for.`;
  const counts = `${formatCount(proof.won)} held-out ${noun(proof.won, unit)} and broke ${proof.lost === 0 ? 'none' : formatCount(proof.lost)}`;
  switch (state) {
    case 'accepted':
      return `Proven: the candidate fixed ${counts}.`;
    case 'rejected':
      return `Rejected: the candidate fixed ${counts}.`;
    default:
      return `Undecided: the candidate fixed ${counts}, which could be chance.`;
  }
}

/** A proven fix in short: `Proven fix: 8 fixed, 0 broken`. */
export const provenText = ({ proof }: Pick<Candidate, 'proof'>): string =>
  proof === null
    ? 'Proven fix'
    : `Proven fix: ${formatCount(proof.won)} fixed, ${formatCount(proof.lost)} broken`;

/** Which proof of its half the next one is, and what the one after it will need. */
export function proofUseText({ proved, nextLevel }: ProofPlan): string {
  return `Proof ${formatCount(proved + 1)} on this half; the next needs p ≤ ${formatPValue(nextLevel)}`;
}

/** Whether a proof can decide, before it is spent. */
export function planSentence(
  { canFlip, flipsNeeded, level, moreCases }: ProofPlan,
  unit: Candidate['unit'],
): string {
  return moreCases > 0
    ? `${canFlip === 0 ? `No held-out ${unit}` : `Only ${counted(canFlip, `held-out ${unit}`)}`} can decide it, and the proof needs at least ` +
        `${flipsNeeded} fixed. Add about ${counted(moreCases, unit)} first.`
    : `${counted(canFlip, `held-out ${unit}`)} can decide it. The proof needs at least ` +
        `${flipsNeeded} fixed and none broken (p ≤ ${formatPValue(level)}).`;
}

/** Why an estimate speaks against a proof that could decide; null if it doesn't. */
export function weakEstimateText(
  plan: ProofPlan,
  { search, proof, unit }: Pick<Candidate, 'search' | 'proof' | 'unit'>,
): string | null {
  if (search === null || proof !== null || plan.moreCases > 0) return null;
  const expected = expectedFlips(search, plan);
  if (reachesLevel(expected, plan.level)) return null;
  const fixes =
    expected.won === 0
      ? `this candidate fixes no held-out ${unit}`
      : `this candidate fixes about ${counted(expected.won, `held-out ${unit}`)}`;
  const breaks = expected.lost === 0 ? '' : ` and breaks about ${formatCount(expected.lost)}`;
  return `At the rate of the estimate, ${fixes}${breaks}. That is not enough to prove it: change the definition further and estimate again.`;
}

/** How many cases to add for a tool: enough for a proof, and for some of them to be seen. */
export const casesToAdd = ({ moreCases }: ProofPlan): number => Math.max(8, moreCases);
