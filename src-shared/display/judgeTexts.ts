import type { JudgeAgreement } from '../domain/taskReport.ts';
import { minKappa, minLabels } from '../metrics/cohensKappa.ts';
import { counted, formatCount, formatDecimal, formatUsd } from './numbers.ts';

/** "κ 0.71 over 14 labels". */
const kappaText = ({ kappa, n }: Pick<JudgeAgreement, 'kappa' | 'n'>): string =>
  `κ ${kappa === null ? 'undefined' : formatDecimal(kappa, 2)} over ${counted(n, 'label')}`;

/** How people agree with a judge, and what that means for its verdicts. */
export function agreementText({ n, bothYes, bothNo, kappa }: JudgeAgreement): string {
  if (n === 0) return 'Nobody has labeled a run that this judge judged.';
  return (
    `People and the judge agree on ${formatCount(bothYes + bothNo)} of ${counted(n, 'label')} ` +
    `(${kappaText({ kappa, n })}).`
  );
}

/** What a judge cost, as a sentence; empty if it is unknown. */
export const judgeCostText = ({ cost }: Pick<JudgeAgreement, 'cost'>): string =>
  cost === null ? '' : ` It cost ${formatUsd(cost)}.`;

/** How many verdicts of a judge are unusable, as a sentence; empty if all are usable. */
export const unusableText = ({
  asked,
  unusable,
}: Pick<JudgeAgreement, 'asked' | 'unusable'>): string =>
  unusable === 0
    ? ''
    : ` It gave no usable verdict on ${formatCount(unusable)} of ${counted(asked, 'check')}.`;

/** Whether the verdicts of a judge count in an evaluation, and what they need to count. */
export const judgeStandingText = ({ counts }: Pick<JudgeAgreement, 'counts'>): string =>
  counts
    ? 'Its verdicts count: people had agreed with it often enough when this evaluation started.'
    : `Its verdicts are advisory. They count in evaluations that start with κ ≥ ${minKappa} over ` +
      `at least ${minLabels} labels.`;
