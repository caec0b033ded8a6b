import { useSearchParams } from 'react-router';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { useResultLists } from './list/useLists.ts';

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
  const [params, setParams] = useSearchParams();
  const list = useResultLists(shownEvaluations);
  const finished: FinishedTrial[] = [
    ...(list.data?.cases ?? [])
      .filter(({ state, origin }) => hasEnded(state) && origin === null)
      .map((one) => ({ ...one, unit: 'case' as const })),
    ...(list.data?.tasks ?? [])
      .filter(({ state }) => hasEnded(state))
      .map((one) => ({ ...one, unit: 'task' as const })),
  ];
  return {
    list,
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
