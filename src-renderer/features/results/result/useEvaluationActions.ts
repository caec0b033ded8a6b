import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { useApi } from '../../../api/index.ts';
import { showDone } from '../../../ui/notices/UndoNotice.tsx';
import { counted } from '../../../ui/text/words.ts';
import type { RescoreChoice } from './RescoreDialog.tsx';
import { useDeleteEvaluation } from '../list/useDeleteEvaluation.ts';

/** The actions on the page of an evaluation. */
export function useEvaluationActions(evaluation: Evaluation) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { id } = evaluation;
  const refresh = async (): Promise<void> => {
    await Promise.all([
      cache.invalidateQueries({ queryKey: queries.evaluations.key() }),
      cache.invalidateQueries({ queryKey: queries.results.key() }),
    ]);
  };
  const show = (next: Evaluation): Promise<void> => {
    cache.setQueryData(queries.evaluations.get.queryKey({ input: { id } }), next);
    return refresh();
  };
  const cancel = useMutation({
    mutationFn: () => client.evaluations.cancel({ id }),
    onSuccess: show,
  });
  const resume = useMutation({
    mutationFn: () => client.evaluations.resume({ id }),
    onSuccess: show,
  });
  const rerun = useMutation({
    mutationFn: (repetitions: number) =>
      client.evaluations.start({ ...evaluation.settings, repetitions, recordFile: null }),
    onSuccess: async (next) => {
      void refresh();
      await navigate(`/evaluations/${next.id}`);
    },
  });
  const rescore = useMutation({
    mutationFn: (choice: RescoreChoice) => client.evaluations.rescore({ id, ...choice }),
    onSuccess: async () => {
      showDone('Re-scored the stored answers. No model was called.');
      await refresh();
    },
  });
  const deleteRaw = useMutation({
    mutationFn: () => client.evaluations.deleteRawTraffic({ id }),
    onSuccess: async ({ runs }) => {
      showDone(`Raw requests and responses of ${counted(runs, 'run')} deleted.`);
      await refresh();
    },
  });
  const remove = useDeleteEvaluation(() => {
    void navigate('/evaluations');
  });
  const failed =
    [cancel, resume, rerun, rescore, deleteRaw].find((act) => act.isError)?.error ?? null;
  return { cancel, resume, rerun, rescore, deleteRaw, remove, failed };
}
export type EvaluationActions = ReturnType<typeof useEvaluationActions>;
