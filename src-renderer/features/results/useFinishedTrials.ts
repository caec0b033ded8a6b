import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { useResultLists } from './list/useLists.ts';

const shownEvaluations = 200;

/** Finished results on which other texts of tools can be tried: those of cases first, the newest first. */
export function useFinishedTrials() {
  const list = useResultLists(shownEvaluations);
  const finished: { unit: EvaluationUnit; id: string; number: number }[] = [
    ...(list.data?.cases ?? [])
      .filter(({ state, origin }) => hasEnded(state) && origin === null)
      .map(({ id, number }) => ({ id, number, unit: 'case' as const })),
    ...(list.data?.tasks ?? [])
      .filter(({ state }) => hasEnded(state))
      .map(({ id, number }) => ({ id, number, unit: 'task' as const })),
  ];
  return { list, finished };
}
