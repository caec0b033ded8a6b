import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { useApi } from '../../../../api/index.ts';
import { showDone } from '../../../../ui/notices/notices.tsx';
import { counted } from '../../../../../src-shared/display/numbers.ts';
import type { RescoreChoice } from './RescoreDialog.tsx';

/** The actions on the page of an evaluation that only one of cases has. */
export function useCaseActions(evaluation: Evaluation) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const { id } = evaluation;
  const refresh = async (): Promise<void> => {
    await reread(queries.evaluations, queries.results);
  };
  const rerun = useMutation({
    mutationFn: (repetitions: number) =>
      client.evaluations.start({ ...evaluation.settings, repetitions, recordFile: null }),
    onSuccess: async (next) => {
      void refresh();
      await navigate(`/results/${next.id}`);
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
  const failed = [rerun, rescore, deleteRaw].find((act) => act.isError)?.error ?? null;
  return { rerun, rescore, deleteRaw, failed };
}

export type CaseActs = ReturnType<typeof useCaseActions>;
