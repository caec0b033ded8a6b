import { Menu, Text, NumberInput } from '@mantine/core';
import { IconCalculator, IconRefresh, IconRepeat, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, whole } from '../../../../ui/fields/controls.tsx';
import { MoreAction } from '../../../../ui/fields/choices.tsx';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { ResultActions } from '../ResultActions.tsx';
import type { ResultAddress } from './resultAddress.ts';
import { RescoreDialog } from './RescoreDialog.tsx';
import type { CaseActs } from './useCaseActions.ts';
import { ConfirmDialog } from '../../../../ui/panels/ConfirmDialog.tsx';
import { providerTable } from '../../../../../src-shared/domain/provider.ts';
import { useRead } from '../../../../api/index.ts';
import { formatUsd, counted } from '../../../../../src-shared/display/numbers.ts';

const maxRepetitions = 100;

/** Few enough to wait for, and enough to tell a flaky case from a failing one. */
export const suggestedRepetitions = 5;

/** True if a model answers over the network, so that running again may cost money. */
function mayCostMoney({ models }: Pick<Evaluation, 'models'>): boolean {
  return models.some(({ provider }) => providerTable[provider].kind === 'endpoint');
}

/** Why an evaluation can't run again from here; null if it can. */
export function whyNoRerun({ settings }: Pick<Evaluation, 'settings'>): string | null {
  if (settings.whatIf !== null)
    return 'This is an estimate. Run the original evaluation again, or start another estimate.';
  return settings.suiteId === null
    ? 'Its suite is a file. Import the file as a suite, then run that.'
    : null;
}

interface RunAgainDialogProps {
  evaluation: Evaluation;
  acts: CaseActs;
  repetitions: number;
  onClose: () => void;
}

/** Asks how often each case runs, and says what the last time cost. */
export function RunAgainDialog(props: RunAgainDialogProps) {
  const { evaluation, acts, onClose } = props;
  const { repetitions } = evaluation.settings;
  const [typed, setTyped] = useState<number | string>(props.repetitions);
  const summary = useRead((ask) => ask.evaluations.summary, {
    input: { id: evaluation.id, modelSettingsId: null },
    enabled: mayCostMoney(evaluation),
  });
  const wanted = Number(typed);
  const valid = Number.isInteger(wanted) && wanted >= 1 && wanted <= maxRepetitions;
  const runs = (evaluation.counts.total / repetitions) * wanted;
  return (
    <ConfirmDialog
      title={`Run #${evaluation.number} again`}
      confirm="Run again"
      disabled={!valid}
      loading={acts.rerun.isPending}
      error={acts.rerun.error}
      onConfirm={() => acts.rerun.mutate(wanted)}
      onClose={onClose}
    >
      <Text size="sm">
        Runs the suite as it is now, with the same models and settings, as a new evaluation.
      </Text>
      <NumberInput
        label="Repetitions"
        description="Runs of each case. With several, you see which cases are flaky."
        {...whole(1, maxRepetitions)}
        value={typed}
        error={valid ? undefined : `Enter a whole number from 1 to ${maxRepetitions}.`}
        onChange={setTyped}
      />
      {valid && (
        <Text size="sm" aria-live="polite">
          About {counted(runs, 'run')}.{' '}
          {mayCostMoney(evaluation)
            ? costText(summary.data?.costUsd ?? null, wanted / repetitions)
            : 'No model is called, so it costs nothing.'}
        </Text>
      )}
    </ConfirmDialog>
  );
}

function costText(costUsd: number | null, times: number): string {
  return costUsd === null
    ? 'The cost is unknown: the last run has no price.'
    : `The last run cost ${formatUsd(costUsd)}, so expect about ${formatUsd(costUsd * times)}.`;
}

interface CaseActionsProps {
  evaluation: Evaluation;
  /** The model that other texts are tried with at first. */
  model: string | null;
  /** Names the edit that waits for this result, and the comparison that is open. */
  address: Pick<ResultAddress, 'back' | 'compared'>;
  acts: CaseActs;
}

/** What only evaluations of cases offer: repetitions, scores and traffic. */
export function CaseActions({ evaluation, model, address, acts }: CaseActionsProps) {
  const [rescoring, setRescoring] = useState(false);
  const [asking, setAsking] = useState(false);
  const [rerunning, setRerunning] = useState<number | null>(null);
  const ended = hasEnded(evaluation.state);
  const { repetitions } = evaluation.settings;
  const noRerun = whyNoRerun(evaluation);
  return (
    <>
      <ResultActions
        one={{ unit: 'case', evaluation }}
        first={address.back !== null && <Action label="Back to the edit" to={address.back} />}
        model={evaluation.models.length > 1 ? model : null}
        compared={address.compared}
        before={
          <>
            <MoreAction
              label={mayCostMoney(evaluation) ? 'Run again…' : 'Run again'}
              icon={IconRefresh}
              disabled={noRerun !== null || acts.rerun.isPending}
              title={noRerun}
              onClick={() => {
                if (mayCostMoney(evaluation)) setRerunning(repetitions);
                else acts.rerun.mutate(repetitions);
              }}
            />
            <MoreAction
              label="Run again with repetitions…"
              icon={IconRepeat}
              disabled={noRerun !== null}
              title={noRerun}
              onClick={() => setRerunning(Math.max(repetitions, suggestedRepetitions))}
            />
            <MoreAction
              label="Re-score…"
              icon={IconCalculator}
              disabled={!ended}
              onClick={() => setRescoring(true)}
            />
          </>
        }
        after={
          <>
            <MoreAction
              label="Delete raw traffic"
              icon={IconTrash}
              disabled={!ended}
              onClick={() => setAsking(true)}
            />
            <Menu.Divider />
          </>
        }
      />
      {rerunning !== null && (
        <RunAgainDialog
          evaluation={evaluation}
          acts={acts}
          repetitions={rerunning}
          onClose={() => setRerunning(null)}
        />
      )}
      {rescoring && (
        <RescoreDialog
          evaluation={evaluation}
          onClose={() => setRescoring(false)}
          onRescore={(choice) => {
            setRescoring(false);
            acts.rescore.mutate(choice);
          }}
        />
      )}
      {asking && (
        <ConfirmDialog
          title="Delete raw traffic"
          confirm="Delete raw traffic"
          danger
          onConfirm={() => {
            setAsking(false);
            acts.deleteRaw.mutate();
          }}
          onClose={() => setAsking(false)}
        >
          <Text>
            Deletes the raw requests and responses of evaluation #{evaluation.number}. Scores,
            calls, and reasons stay, and you can still re-score it. You can’t undo this.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
