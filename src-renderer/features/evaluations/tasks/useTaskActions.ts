import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';
import { showFailure, showUndo } from '../../../ui/notices/UndoNotice.tsx';

function useRefresh(): () => Promise<void> {
  const { queries } = useApi();
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: queries.evaluations.key() });
}

/** Stops a task evaluation; finished runs are kept. */
export function useCancelTasks() {
  const { client } = useApi();
  return useMutation({
    mutationFn: (id: string) => client.evaluations.cancel({ unit: 'task', id }),
    onError: showFailure,
    onSettled: useRefresh(),
  });
}

/** Runs again, from the start, what has no score. */
export function useResumeTasks() {
  const { client } = useApi();
  return useMutation({
    mutationFn: (id: string) => client.evaluations.resume({ unit: 'task', id }),
    onError: showFailure,
    onSettled: useRefresh(),
  });
}

/** Deletes a task evaluation and offers to undo that. */
export function useDeleteTasks(onDeleted?: () => void) {
  const { client } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => client.evaluations.remove({ unit: 'task', id }),
    onError: showFailure,
    onSuccess: async ({ token, what }) => {
      showUndo(`${what} deleted.`, async () => {
        await client.settings.undo({ token });
        await refresh();
      });
      onDeleted?.();
      await refresh();
    },
  });
}
