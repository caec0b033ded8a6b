import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import {
  counted,
  formatDuration,
  formatPValue,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import { dataText } from '../../../../src-shared/display/executionTexts.ts';
import {
  casesToAdd,
  onlyHeldOut,
  planSentence,
  proofUseText,
  weakEstimateText,
} from '../../../../src-shared/display/candidateTexts.ts';
import type { ProofPlan, ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { Fold, TitledPanel } from '../../../ui/panels/panels.tsx';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { AddCases } from './AddCases.tsx';
import { Facts } from './Facts.tsx';
import { searchLink } from '../../results/links.ts';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';
import { ConfirmDialog } from '../../../ui/panels/ConfirmDialog.tsx';

/** What a proof can decide and costs, and the question before it is spent. */
export function ProvePanel({ problem, fix }: { problem: ToolProblem; fix: Fix }) {
  const { plan, unit } = problem;
  const { edits, current, run, target } = fix;
  const [asked, setAsked] = useState(false);
  const weak = current === null ? null : weakEstimateText(plan, current);
  const canPass = current?.search != null && weak === null && plan.moreCases === 0;
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
