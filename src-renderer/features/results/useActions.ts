import { useMutation } from '@tanstack/react-query';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { useApi } from '../../api/index.ts';
import { showFailure, showUndo } from '../../ui/notices/UndoNotice.tsx';

/**
 * What is done with an evaluation of either unit: it is stopped, which keeps finished runs,
 * continued with what is missing, or deleted, which can be undone.
 */
export function useActions(unit: EvaluationUnit, onDeleted?: () => void) {
  const { client, queries, reread } = useApi();
  const refresh = (): Promise<unknown> => reread(queries.evaluations, queries.results);
  const cancel = useMutation({
    mutationFn: (id: string): Promise<unknown> => client.evaluations.cancel({ unit, id }),
    onError: showFailure,
    onSettled: refresh,
  });
  const resume = useMutation({
    mutationFn: (id: string): Promise<unknown> => client.evaluations.resume({ unit, id }),
    onError: showFailure,
    onSettled: refresh,
  });
  // The page of a deleted evaluation is left, so only lists are read again.
  const relist = (): Promise<unknown> => reread(queries.evaluations.list, queries.results.list);
  const remove = useMutation({
    mutationFn: (id: string) => client.evaluations.remove({ unit, id }),
    onError: showFailure,
    onSuccess: async ({ token, what }) => {
      showUndo(`${what} deleted.`, async () => {
        await client.settings.undo({ token });
        await relist();
      });
      onDeleted?.();
      await relist();
    },
  });
  return { cancel, resume, remove };
}
