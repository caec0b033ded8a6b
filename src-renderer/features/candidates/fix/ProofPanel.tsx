import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useState } from 'react';
import {
  counted,
  formatCount,
  formatPercent,
  formatPoints,
  formatPValue,
  formatRate,
  formatDuration,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import { answerPairs } from '../../../../src-shared/metrics/pairing.ts';
import type {
  ProofResult,
  Candidate,
  ToolProblem,
  ProofPlan,
} from '../../../../src-shared/domain/candidate.ts';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { evaluationLink, searchLink } from '../../results/links.ts';
import { AddCases } from './AddCases.tsx';
import { Facts } from './Facts.tsx';
import { PassedBar } from './PassedBar.tsx';
import type { Fix } from './useFix.ts';
import { TitledPanel, Fold } from '../../../ui/panels/panels.tsx';
import { Action } from '../../../ui/fields/controls.tsx';
import { dataText } from '../../../../src-shared/display/executionTexts.ts';
import {
  casesToAdd,
  onlyHeldOut,
  planSentence,
  proofUseText,
  weakEstimateText,
} from '../../../../src-shared/display/candidateTexts.ts';
import { ConfirmDialog } from '../../../ui/panels/ConfirmDialog.tsx';
import classes from './fix.module.css';

/** What a proof can decide and costs, and the question before it is spent. */
export function ProvePanel({ problem, fix }: { problem: ToolProblem; fix: Fix }) {
  const { plan, unit } = problem;
  const { edits, current, run, target } = fix;
  const [asked, setAsked] = useState(false);
  const weak = current === null ? null : weakEstimateText(plan, current);
  const canPass =
    current?.search != null && weak === null && fix.toWrite === null && plan.moreCases === 0;
  const running = current?.state === 'proving' || (run.isPending && run.variables === 'prove');
  const cost =
    plan.proofCostUsd === null || plan.proofCostUsd === 0
      ? ''
      : `, about ${formatUsd(plan.proofCostUsd)}`;
  const why =
    edits.length === 0
      ? 'Change the definition and estimate the change first.'
      : plan.proofCases === 0
        ? `No held-out ${unit} was scored, so nothing can be proven.`
        : !fix.consent.given
          ? 'Agree to what the runs change first.'
          : // Its candidate is being written, and may not be listed yet.
            current?.state === 'searching' || run.isPending
            ? 'Wait until the runs have ended.'
            : null;
  return (
    <TitledPanel title={`Prove on held-out ${unit}s`}>
      <div className={classes.body}>
        <p>
          {plan.moreCases > 0
            ? `Too few held-out ${unit}s can decide it. Add about ${counted(plan.moreCases, unit)} first.`
            : (why ??
              `Shows once whether the candidate helps in ${unit}s that nobody saw while writing it.`)}
        </p>
        {weak !== null && (
          <p className={classes.open}>
            <IconAlertTriangle size={16} aria-hidden /> {weak}
          </p>
        )}
        {plan.moreCases > 0 && !onlyHeldOut(problem) && (
          <AddCases fix={fix} unit={unit} suiteId={problem.suiteId} cases={casesToAdd(plan)} />
        )}
        {plan.moreCases > 0 && target.evaluationId !== null && (
          <Link to={searchLink(target.evaluationId, target.modelSettingsId)}>
            Search for better descriptions of all tools
          </Link>
        )}
        <Action
          label={`Prove on ${counted(plan.proofCases, unit)}${cost}`}
          fullWidth
          filled={canPass}
          why={running ? null : why}
          loading={running}
          onClick={() => setAsked(true)}
        />
        <Fold title="How this is decided">
          <p>{planSentence(plan, unit)}</p>
          <Facts
            facts={[
              ['Runs', `${counted(plan.proofCases, unit)}, ${problem.modelName}`],
              ['Cost', costText(plan)],
              ['Uses up', proofUseText(plan)],
            ]}
          />
        </Fold>
      </div>
      {asked && (
        <ConfirmDialog
          title="Use the proof of this candidate?"
          confirm="Prove now"
          cancel="Not yet"
          unwise={!canPass}
          onConfirm={() => {
            setAsked(false);
            run.mutate('prove');
          }}
          onClose={() => setAsked(false)}
        >
          <p>
            {planSentence(plan, unit)} {weak} A candidate gets one proof: a second look would make
            chance look like progress. Each proof on these {unit}s makes the next one stricter: the
            next candidate has to reach p ≤ {formatPValue(plan.nextLevel)}.
          </p>
          {problem.execution !== null && (
            <PlainText as="p" text={dataText(problem.execution).text} />
          )}
        </ConfirmDialog>
      )}
    </TitledPanel>
  );
}

function costText({ proofCostUsd, proofMs }: ProofPlan): string {
  const time = proofMs >= 1000 ? ` and ${formatDuration(proofMs)}` : '';
  if (proofCostUsd === null) return `unknown${time}`;
  return (proofCostUsd === 0 ? 'free' : `about ${formatUsd(proofCostUsd)}`) + time;
}

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
  const after = passedBefore + won - lost;
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
        {cases > 0 && (
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
