import type { EvaluationUnit } from '../domain/gate.ts';
import {
  unitOf,
  type OptimizationPlan,
  type OptimizationSettings,
  type OptimizationSpend,
  type OptimizationSummary,
  type StopReason,
} from '../domain/optimization.ts';
import { counted, formatCount, formatDuration, formatUsd } from './numbers.ts';
import { unansweredText } from './spendTexts.ts';

/** How the outcome of a case or a task is called. */
export const passWords: Readonly<
  Record<EvaluationUnit, { rate: string; plural: string; past: string }>
> = {
  case: { rate: 'pass rate', plural: 'pass', past: 'passed' },
  task: { rate: 'success rate', plural: 'succeed', past: 'succeeded' },
};

const stops = (unit: EvaluationUnit): Readonly<Record<StopReason, string>> => ({
  steps: 'It tried as many candidates as it may.',
  no_gain: 'It ended early: no further candidate helped.',
  exhausted: 'It ended early: there was no candidate left to try.',
  budget: 'It ended because the budget was used up.',
  all_passed: `It ended early: all search ${unit}s ${passWords[unit].plural}.`,
});

/** Why a search ended, or the error that ended it. */
export function describeStop({
  stopped,
  settings,
}: Pick<OptimizationSummary, 'stopped' | 'settings'>): string {
  if (stopped === null) return '';
  const known: Readonly<Record<string, string>> = stops(unitOf(settings));
  return known[stopped] ?? stopped;
}

/**
 * Why an optimization can't prove what it is to find, whatever that is: said before anything is paid.
 * Empty if it can.
 */
export function unprovableTexts(
  { objective, proposer }: Pick<OptimizationSettings, 'objective' | 'proposer'>,
  {
    unit,
    proofCases,
    proved,
    flipsNeeded,
    canFlip,
    casesForTokens,
  }: Pick<
    OptimizationPlan,
    'unit' | 'proofCases' | 'proved' | 'flipsNeeded' | 'canFlip' | 'casesForTokens'
  >,
): string[] {
  const rank = `Proof ${formatCount(proved + 1)} on this half`;
  const held = `held-out ${unit}`;
  const fewFlips =
    canFlip >= flipsNeeded
      ? null
      : `${rank} needs at least ${formatCount(flipsNeeded)} fixed, and ${canFlip === 0 ? 'none' : `only ${formatCount(canFlip)}`} of ` +
        `${counted(proofCases, held)} ${canFlip === 1 ? 'fails' : 'fail'} now, so a better ${passWords[unit].rate} can’t be proven. ` +
        `Add about ${counted(2 * (flipsNeeded - canFlip), unit)} that fail.`;
  const fewCases =
    proofCases >= casesForTokens
      ? null
      : `${rank} needs at least ${counted(casesForTokens, held)} to rule out a loss of 2 points, and there ` +
        `${proofCases === 1 ? 'is' : 'are'} ${formatCount(proofCases)}, so fewer tokens can’t be proven. Add about ` +
        `${counted(2 * (casesForTokens - proofCases), unit)}.`;
  const needed =
    objective === 'accuracy'
      ? [fewFlips]
      : objective === 'tokens'
        ? [fewCases]
        : fewFlips !== null && fewCases !== null
          ? [fewFlips, fewCases]
          : [];
  const texts = needed.filter((text) => text !== null);
  return proposer.kind === 'given' || texts.length === 0
    ? texts
    : [...texts, 'The search would still run, and its proof could only end undecided.'];
}

export function optimizationAnswer({ state, result, settings }: OptimizationSummary): string {
  const unit = unitOf(settings);
  if (result === null)
    return {
      running: 'Still running.',
      paused: 'Paused. Resume it to go on.',
      interrupted: 'Interrupted. Resume it to go on.',
      cancelled: 'Cancelled.',
      failed: 'Failed. Resume it to try again.',
      nothing_found: 'No candidate was better on the search half. The proof half is unused.',
      accepted: 'Proven.',
      rejected: 'Not proven.',
      cannot_tell: 'Not proven.',
    }[state];
  const { cases, passedBefore, passedAfter, tokensBefore, tokensAfter } = result;
  const change = `${formatCount(passedAfter)} of ${counted(cases, `held-out ${unit}`)} ${passWords[unit].plural} instead of ${formatCount(passedBefore)}`;
  const saved = tokensBefore - tokensAfter;
  const tokens =
    saved === 0
      ? ''
      : `, with ${counted(Math.abs(saved), saved > 0 ? 'fewer token' : 'more token')} in the tool list`;
  const lead = { accepted: 'Proven', rejected: 'Rejected', cannot_tell: 'Undecided' } as const;
  return `${state in lead ? lead[state as keyof typeof lead] : state}: ${change}${tokens}.`;
}

/** What to do after a search that proved nothing; empty where the answer says it or needs nothing. */
export function optimizationNextStep({ state, settings }: OptimizationSummary): string {
  const unit = unitOf(settings);
  if (state === 'cannot_tell')
    return `Add ${unit}s to the suite, run it again and search from there: only more held-out ${unit}s can decide it.`;
  return state === 'rejected' || state === 'nothing_found'
    ? 'Keep the descriptions as they are, or search again with more steps, another seed or candidates by a model.'
    : '';
}

/** What was used or will be, in one line. */
export const spendText = ({ calls, tokens, usd, minutes, unanswered }: OptimizationSpend): string =>
  [
    [
      counted(calls, 'call'),
      counted(tokens, 'token'),
      usd === null ? 'cost unknown' : formatUsd(usd),
      formatDuration(minutes * 60_000),
    ].join(', '),
    unansweredText(unanswered),
  ]
    .filter(Boolean)
    .join('; ');
