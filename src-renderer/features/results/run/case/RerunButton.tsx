import { Text, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Action } from '../../../../ui/fields/Action.tsx';
import { useApi } from '../../../../api/index.ts';
import { formatUsd } from '../../../../../src-shared/display/numbers.ts';
import { showFailure } from '../../../../ui/notices/UndoNotice.tsx';
import { ConfirmDialog } from '../../../../ui/panels/ConfirmDialog.tsx';

interface RerunButtonProps {
  evaluationId: string;
  runId: string;
  /** What the run cost; null if no price is known. A run that costs money is asked about first. */
  costUsd: number | null;
}

/** Runs the case again and opens the new evaluation. The original evaluation doesn't change. */
export function RerunButton({ evaluationId, runId, costUsd }: RerunButtonProps) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const rerun = useMutation({
    mutationFn: () => client.evaluations.rerunCase({ id: evaluationId, runId }),
    onError: showFailure,
    onSuccess: async (made) => {
      void reread(queries.evaluations.list);
      await navigate(`/results/${made.id}`);
    },
  });
  const paid = costUsd !== null && costUsd > 0;
  const close = (): void => setAsking(false);
  const start = (): void => {
    close();
    rerun.mutate();
  };
  return (
    <>
      <Tooltip label="Runs this case again with the same model and tools, as a new evaluation">
        <Action
          label="Re-run case"
          icon={IconRefresh}
          loading={rerun.isPending}
          onClick={() => {
            if (paid) setAsking(true);
            else start();
          }}
        />
      </Tooltip>
      {asking && (
        <ConfirmDialog
          title="Re-run case"
          confirm="Re-run case"
          onConfirm={start}
          onClose={() => setAsking(false)}
        >
          <Text>
            Sends the request to the model again, as a new evaluation with one case. The last run
            cost {formatUsd(costUsd)}, so expect about the same.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
