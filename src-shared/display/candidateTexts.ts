import type { ProofPlan, Candidate, CandidateState, ToolProblem } from '../domain/candidate.ts';
import { splitToolId, toolId } from '../domain/labels.ts';
import { expectedFlips, reachesLevel } from '../metrics/candidateProof.ts';
import { offersText } from './adviceTexts.ts';
import { counted, formatCount, formatPValue, noun } from './numbers.ts';
import { outcomeTexts } from './outcomeTexts.ts';
import { taskOutcomeTexts } from './taskTexts.ts';

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

/** Whether a tool fails only where nobody may look: then there is nothing to write a fix for. */
export const onlyHeldOut = ({
  failing,
  hiddenFailing,
}: Pick<ToolProblem, 'failing' | 'hiddenFailing'>): boolean =>
  failing.length === 0 && hiddenFailing > 0;

const outcomeLabels: Readonly<Record<string, { label: string }>> = {
  ...taskOutcomeTexts,
  ...outcomeTexts,
};

type Failing = Pick<ToolProblem['failing'][number], 'called' | 'outcome'>;

/** What a failing request of a tool shows: the tool that was called, else how the request ended. */
export function failingText({ called, outcome }: Failing): string {
  if (called !== null) return splitToolId(called).tool;
  // A task that fails by a check without a wrong call lacks the call of the tool.
  return outcome === 'check_failed' ? 'needed call missing' : (outcomeLabels[outcome]?.label ?? '');
}

/**
 * What goes wrong with a tool in the requests that a person may see, the most frequent first: "no
 * tool called in 3, get_pull called in 2". Null if none fails.
 */
export function problemText(problem: {
  failing: readonly Failing[];
  tool: Pick<ToolProblem['tool'], 'server' | 'name'>;
}): string | null {
  const own = toolId(problem.tool.server, problem.tool.name);
  const counts = new Map<string, number>();
  for (const one of problem.failing) {
    const called = one.called === own ? ' called by mistake' : ' called';
    const text = `${failingText(one)}${one.called === null ? '' : called}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3);
  return sorted.length === 0
    ? null
    : sorted.map(([text, count]) => `${text} in ${formatCount(count)}`).join(', ');
}

interface FixState {
  problem: Pick<ToolProblem, 'unit' | 'plan' | 'failing' | 'hiddenFailing' | 'advice'>;
  /** What the author has to write where the description is empty; null if it isn't. */
  toWrite: string | null;
  /** Whether a text of the tool was changed. */
  isEdited: boolean;
  /** Whether the person agrees to what the runs execute. */
  isAgreed: boolean;
  /** The candidate with the texts as they are; null if they were not kept yet. */
  candidate: Candidate | null;
}

/** The one thing that a person does next to fix a tool, from its failures to its patch. */
export function nextFixText(state: FixState): string {
  const { problem, toWrite, isEdited, isAgreed, candidate } = state;
  const { unit, plan, advice } = problem;
  if (candidate?.now === 'applied') return 'run the suite again to see what the new text does.';
  if (candidate?.state === 'searching') return 'wait for the estimate.';
  if (candidate?.state === 'proving') return 'wait for the proof.';
  if (candidate?.proof != null) {
    if (candidate.state === 'accepted') return 'export the patch and apply it to the server.';
    return candidate.state === 'rejected'
      ? 'write another candidate: this one is rejected.'
      : 'add cases, or write a candidate that fixes more.';
  }
  if (toWrite !== null)
    return `${offersText(advice) ? 'insert the suggestion, or ' : ''}write the description. ${toWrite}`.trim();
  if (onlyHeldOut(problem))
    return `add ${counted(casesToAdd(plan), unit)} that need this tool, and run the suite again.`;
  if (!isEdited)
    return offersText(advice)
      ? 'insert the suggestion, or change the description yourself.'
      : 'change the description.';
  if (candidate?.search == null)
    return isAgreed
      ? `estimate what the change fixes in ${counted(plan.searchCases, unit)}.`
      : 'agree to what the runs change, then estimate.';
  if (weakEstimateText(plan, candidate) !== null || candidate.search.won === 0)
    return 'change the definition further and estimate again: this fixes too little for a proof.';
  return plan.moreCases > 0
    ? `add ${counted(casesToAdd(plan), unit)}: too few held-out ones can decide a proof.`
    : `prove it on ${counted(plan.proofCases, `held-out ${unit}`)}.`;
}
