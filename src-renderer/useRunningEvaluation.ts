import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Evaluation } from '../src-shared/domain/evaluation.ts';
import { hasEnded } from '../src-shared/domain/evaluationState.ts';
import { useApi } from './api/index.ts';
import type { RunningWork } from './ui/frame/StatusLine.tsx';
import { percentDone } from './ui/progress/progressWords.ts';
import { showFailure } from './ui/notices/UndoNotice.tsx';

const quickMs = 500;
const slowMs = 15_000;

/**
 * The newest running evaluation, for the status line. Polls often while one runs and rarely
 * otherwise, because the command line may start one.
 */
export function useRunningEvaluation(): RunningWork | null {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const list = useQuery(
    queries.evaluations.list.queryOptions({
      input: { limit: 20 },
      refetchInterval: (query) => (newestRunning(query.state.data) === null ? slowMs : quickMs),
    }),
  );
  const cancel = useMutation({
    mutationFn: (id: string) => client.evaluations.cancel({ id }),
    onError: showFailure,
    onSettled: () => cache.invalidateQueries({ queryKey: queries.evaluations.key() }),
  });
  const running = newestRunning(list.data);
  if (running === null) return null;
  const { total, open } = running.counts;
  return {
    label: `#${running.number} ${running.suiteName}`,
    to: `/evaluations/${running.id}`,
    percent: running.state === 'planned' ? null : percentDone({ done: total - open, total }),
    cancelling: cancel.isPending,
    onCancel: () => {
      cancel.mutate(running.id);
    },
  };
}

function newestRunning(list: readonly Evaluation[] | undefined): Evaluation | null {
  return list?.find((evaluation) => !hasEnded(evaluation.state)) ?? null;
}
