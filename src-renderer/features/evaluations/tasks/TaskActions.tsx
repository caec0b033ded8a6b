import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { useApi } from '../../../api/index.ts';
import { showFailure } from '../../../ui/notices/UndoNotice.tsx';

/** Cancels a task evaluation under way, or continues one that ended early. */
export function TaskActions({ report: { evaluation, runs } }: { report: TaskReport }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const { id, state } = evaluation;
  const running = !hasEnded(state);
  const act = useMutation({
    mutationFn: () =>
      running ? client.taskEvaluations.cancel({ id }) : client.taskEvaluations.resume({ id }),
    onError: showFailure,
    onSettled: () => cache.invalidateQueries({ queryKey: queries.taskEvaluations.key() }),
  });
  // The mode can't change, so a run that it kept from being scored would end the same way.
  const unfinished = runs.some(
    ({ outcome, failure }) => outcome === null || (outcome === 'not_scored' && failure !== 'mode'),
  );
  if (!running && !unfinished) return null;
  return (
    <Button
      variant={running ? 'default' : 'filled'}
      loading={act.isPending}
      onClick={() => {
        act.mutate();
      }}
    >
      {running ? 'Cancel' : 'Resume'}
    </Button>
  );
}
