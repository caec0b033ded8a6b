import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { useApi } from '../../../api/index.ts';

const shownEvaluations = 200;

/** The finished evaluation that a page of Improve works on: the one in its address, or the last. */
export function useFinishedEvaluation() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const list = useQuery(
    queries.evaluations.list.queryOptions({ input: { limit: shownEvaluations } }),
  );
  const finished: Evaluation[] = (list.data ?? []).filter(
    ({ state, origin }) => hasEnded(state) && origin === null,
  );
  return {
    list,
    chosen: finished.find(({ id }) => id === params.get('evaluation')) ?? finished[0] ?? null,
    choices: finished.map(({ id, number, suiteName, models }) => ({
      value: id,
      label: `#${number} ${suiteName} · ${models.map(modelLabel).join(', ')}`,
    })),
    choose: (id: string | null): void => {
      if (id !== null)
        setParams((before) => ({ ...Object.fromEntries(before), evaluation: id }), {
          replace: true,
        });
    },
  };
}
