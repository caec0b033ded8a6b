import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { providerTable } from '../../../../../src-shared/domain/provider.ts';
import { useRead } from '../../../../api/index.ts';
import { formatUsd, counted } from '../../../../../src-shared/display/numbers.ts';
import type { CaseActs } from './useCaseActions.ts';
import { ConfirmDialog } from '../../../../ui/panels/ConfirmDialog.tsx';
import { whole } from '../../../../ui/fields/controls.tsx';

const maxRepetitions = 100;

/** Few enough to wait for, and enough to tell a flaky case from a failing one. */
export const suggestedRepetitions = 5;

/** True if a model answers over the network, so that running again may cost money. */
export function mayCostMoney({ models }: Pick<Evaluation, 'models'>): boolean {
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
