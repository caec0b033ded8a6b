import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';
import { showFailure, showUndo } from '../../../ui/notices/UndoNotice.tsx';

/** Deletes an evaluation and offers to undo that. */
export function useDeleteEvaluation(onDeleted?: () => void) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const refresh = (): Promise<void> =>
    cache.invalidateQueries({ queryKey: queries.evaluations.list.key() });
  return useMutation({
    mutationFn: (id: string) => client.evaluations.remove({ id }),
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
