import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { useApi } from '../../api/index.ts';

const shownEvaluations = 200;

/** An evaluation of cases or tasks that other texts of tools can be tried on. */
export interface FinishedTrial {
  unit: EvaluationUnit;
  id: string;
  number: number;
  suiteName: string;
  models: readonly ModelSettings[];
}

/**
 * The finished evaluation of cases or tasks that a page of Improve works on: the one in its address,
 * or else the last one of cases.
 */
export function useFinishedTrials() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const input = { limit: shownEvaluations };
  const cases = useQuery(queries.evaluations.list.queryOptions({ input }));
  const tasks = useQuery(
    queries.evaluations.list.queryOptions({ input: { unit: 'task', ...input } }),
  );
  const finished: FinishedTrial[] = [
    ...(cases.data ?? [])
      .filter(({ state, origin }) => hasEnded(state) && origin === null)
      .map((one) => ({ ...one, unit: 'case' as const })),
    ...(tasks.data ?? [])
      .filter(({ state }) => hasEnded(state))
      .map((one) => ({ ...one, unit: 'task' as const })),
  ];
  return {
    list: {
      data: cases.data && tasks.data && { count: finished.length },
      error: cases.error ?? tasks.error,
      refetch: () => Promise.all([cases.refetch(), tasks.refetch()]),
    },
    finished,
    chosen: finished.find(({ id }) => id === params.get('evaluation')) ?? finished[0] ?? null,
    choices: finished.map(({ id, unit, number, suiteName, models }) => ({
      value: id,
      label: `#${number} ${suiteName}${unit === 'task' ? ' (tasks)' : ''} · ${models.map(modelLabel).join(', ')}`,
    })),
    choose: (id: string | null): void => {
      if (id !== null)
        setParams((before) => ({ ...Object.fromEntries(before), evaluation: id }), {
          replace: true,
        });
    },
  };
}
