import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from 'react-router';
import {
  counted,
  formatCount,
  formatPercent,
  formatPoints,
  formatPValue,
  formatRate,
} from '../../../../src-shared/display/numbers.ts';
import { answerPairs } from '../../../../src-shared/metrics/pairing.ts';
import type {
  ProofResult,
  Candidate,
  ToolProblem,
} from '../../../../src-shared/domain/candidate.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { evaluationLink, searchLink } from '../../results/links.ts';
import { AddCases } from './AddCases.tsx';
import { Facts } from './Facts.tsx';
import classes from './fix.module.css';
import { PassedBar } from './PassedBar.tsx';
import type { Fix } from './useFix.ts';
import { TitledPanel } from '../../../ui/panels/TitledPanel.tsx';

const verdicts = {
  accepted: { title: 'Proven', tone: classes.good, Icon: IconCircleCheck },
  rejected: { title: 'Rejected', tone: classes.bad, Icon: IconCircleX },
  cannot_tell: { title: 'Undecided', tone: classes.open, Icon: IconAlertTriangle },
} as const;

/** The difference per case: what the interval of the change is computed from. */
const differences = ({ won, lost, cases }: ProofResult): number[] =>
  Array.from({ length: cases }, (_, at) => (at < won ? 1 : at < won + lost ? -1 : 0));

/** The verdict of a proof, with the numbers before and after from one calculation. */
export function ProofPanel(props: {
  problem: ToolProblem;
  candidate: Candidate;
  proof: ProofResult;
  fix: Fix;
}) {
  const { problem, candidate, proof, fix } = props;
  const { evaluationId, modelSettingsId } = fix.target;
  const { title, tone, Icon } =
    candidate.state === 'accepted' || candidate.state === 'rejected'
      ? verdicts[candidate.state]
      : verdicts.cannot_tell;
  const { cases, passedBefore, won, lost } = proof;
  const interval = answerPairs([differences(proof)])[0]?.difference;
  const after = passedBefore === null ? null : passedBefore + won - lost;
  return (
    <TitledPanel
      title={
        <span className={tone}>
          <Icon size={18} aria-hidden />
          {title}
        </span>
      }
      label="Proof"
      aside={<span className={classes.quiet}>p = {formatPValue(proof.pValue)}</span>}
    >
      <div className={classes.body}>
        {passedBefore !== null && after !== null && cases > 0 && (
          <>
            <p className={classes.number}>
              <b>
                {formatPercent(passedBefore / cases)} → {formatPercent(after / cases)}
              </b>{' '}
              <span className={classes.quiet}>
                {formatPoints((won - lost) / cases)} points
                {interval != null &&
                  `, 95% CI ${formatPoints(interval.low)} to ${formatPoints(interval.high)}`}
              </span>
            </p>
            <PassedBar label="Before" passed={passedBefore} cases={cases} />
            <PassedBar
              label="After"
              passed={after}
              cases={cases}
              isProven={candidate.state === 'accepted'}
            />
          </>
        )}
        <Facts
          facts={[
            ['Changed', `${formatCount(won)} fixed, ${formatCount(lost)} broken`],
            [
              'Other tools',
              `recall ${formatRate(proof.recallBefore)} → ${formatRate(proof.recallAfter)} over ${counted(proof.otherCalls.expected, 'call')}`,
            ],
            ['Needed', `p ≤ ${formatPValue(proof.level)}`],
            ...(proof.notScored > 0 ? [['Not scored', formatCount(proof.notScored)] as const] : []),
          ]}
        />
        {proof.reasons.map((reason) => (
          <Foreign key={reason} as="p" text={reason} />
        ))}
        {proof.moreCases !== null && proof.moreCases > 0 && (
          <>
            <p>
              About {counted(proof.moreCases, `more ${candidate.unit}`)} would decide the next
              candidate like it. One that fixes more needs fewer, and so may a search over all
              tools.
            </p>
            <AddCases fix={fix} unit={problem.unit} suiteId={problem.suiteId} />
            {evaluationId !== null && (
              <Link to={searchLink(evaluationId, modelSettingsId)}>
                Search for better descriptions of all tools
              </Link>
            )}
          </>
        )}
        {candidate.proofEvaluationId !== null && (
          <Link to={evaluationLink(candidate.proofEvaluationId)}>Runs of this proof</Link>
        )}
      </div>
    </TitledPanel>
  );
}
