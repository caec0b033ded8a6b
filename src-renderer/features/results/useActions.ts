import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { useApi } from '../../api/index.ts';
import { useOfferUndo } from '../../saving/useOfferUndo.ts';
import { useAct } from '../../ui/notices/notices.tsx';

/**
 * What is done with an evaluation of either unit: it is stopped, which keeps finished runs,
 * continued with what is missing, or deleted, which can be undone. The callbacks are also called when
 * the button is gone by then, as the one that resumes is as soon as the evaluation runs.
 */
export function useActions(
  unit: EvaluationUnit,
  { onResumed, onDeleted }: { onResumed?: (() => void) | undefined; onDeleted?: () => void } = {},
) {
  const { client, queries, reread } = useApi();
  const offerUndo = useOfferUndo();
  const refresh = (): Promise<unknown> => reread(queries.evaluations, queries.results);
  const cancel = useAct((id: string): Promise<unknown> => client.evaluations.cancel({ unit, id }), {
    onSettled: refresh,
  });
  const resume = useAct((id: string): Promise<unknown> => client.evaluations.resume({ unit, id }), {
    onSuccess: () => onResumed?.(),
    onSettled: refresh,
  });
  // The page of a deleted evaluation is left, so only lists are read again.
  const relist = (): Promise<unknown> => reread(queries.evaluations.list, queries.results.list);
  const remove = useAct((id: string) => client.evaluations.remove({ unit, id }), {
    onSuccess: async ({ token, what }) => {
      offerUndo(`${what} deleted.`, token, relist);
      onDeleted?.();
      await relist();
    },
  });
  return { cancel, resume, remove };
}
