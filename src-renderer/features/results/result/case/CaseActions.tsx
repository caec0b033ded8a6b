import { Menu, Text } from '@mantine/core';
import { IconCalculator, IconRefresh, IconRepeat, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../../../ui/fields/controls.tsx';
import { MoreAction } from '../../../../ui/fields/choices.tsx';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { ResultActions } from '../ResultActions.tsx';
import type { ResultAddress } from './resultAddress.ts';
import { RescoreDialog } from './RescoreDialog.tsx';
import {
  mayCostMoney,
  RunAgainDialog,
  suggestedRepetitions,
  whyNoRerun,
} from './RunAgainDialog.tsx';
import type { CaseActs } from './useCaseActions.ts';
import { ConfirmDialog } from '../../../../ui/panels/ConfirmDialog.tsx';

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
