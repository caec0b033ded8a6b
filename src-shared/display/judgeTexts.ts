import type { JudgeVote } from '../domain/judgeVote.ts';
import type { JudgeAgreement } from '../domain/taskReport.ts';
import { minKappa, minLabels } from '../metrics/cohensKappa.ts';
import { counted, formatCount, formatDecimal, formatPercent, formatUsd } from './numbers.ts';

/** "0.71 (95% CI 0.42 to 0.93)". */
const kappaOf = ({ kappa, interval }: Pick<JudgeAgreement, 'kappa' | 'interval'>): string => {
  if (kappa === null) return 'undefined';
  const ends = interval
    ? ` (95% CI ${formatDecimal(interval.low, 2)} to ${formatDecimal(interval.high, 2)})`
    : '';
  return `${formatDecimal(kappa, 2)}${ends}`;
};

/** How people agree with a judge, and what that means for its verdicts. */
export function agreementText(agreement: JudgeAgreement): string {
  const { n, bothYes, bothNo } = agreement;
  if (n === 0) return `Nobody has labeled a run that this judge judged.${betweenText(agreement)}`;
  return (
    `People and the judge agree on ${formatCount(bothYes + bothNo)} of ${counted(n, 'label')} ` +
    `(κ ${kappaOf(agreement)} over ${counted(n, 'label')}).${betweenText(agreement)}`
  );
}

/** What each of several judges said, how they agree, and ties, as sentences; empty for one judge. */
function betweenText({ judges, between }: JudgeAgreement): string {
  if (between === null) return '';
  const each = judges.map(
    ({ judge, yes, no, unusable }) =>
      `${judge} ${formatCount(yes)} yes, ${formatCount(no)} no` +
      (unusable > 0 ? `, ${formatCount(unusable)} unusable` : ''),
  );
  const agree =
    between.observed === null
      ? ''
      : ` They agree in ${formatPercent(between.observed)} of pairs (κ ${kappaOf(between)}, over ` +
        `${counted(between.n, 'check')} that all judged).`;
  const ties =
    between.ties > 0
      ? ` ${counted(between.ties, 'tie')}, which ${between.ties === 1 ? 'decides' : 'decide'} nothing.`
      : '';
  return ` The majority of ${formatCount(judges.length)} judges decides: ${each.join('; ')}.${agree}${ties}`;
}

/** What one of several judges said: `a: yes. It greets.` */
export const voteText = ({ judge, passed, reason }: JudgeVote): string =>
  `${judge}: ${passed === null ? 'no usable verdict' : passed ? 'yes' : 'no'}. ${reason}`;

/**
 * What judges were asked about a check, and what each of several said, on a line of its own. Empty
 * where neither is known.
 */
export const judgedText = (
  asked: { system: string; query: string } | undefined,
  votes: readonly JudgeVote[],
): string =>
  [...(asked ? [asked.system, asked.query] : []), votes.map(voteText).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');

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
