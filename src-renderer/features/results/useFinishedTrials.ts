import { useQuery } from '@tanstack/react-query';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { useApi } from '../../api/index.ts';

const limit = 50;

/** Finished results, of one unit or of both, on which other texts can be tried; the newest first. */
export function useFinishedTrials(unit: EvaluationUnit | null = null) {
  const { queries } = useApi();
  const list = useQuery(queries.results.list.queryOptions({ input: { unit, limit } }));
  const finished = (list.data?.groups ?? []).flatMap(({ lead: { evaluation } }) =>
    hasEnded(evaluation.state) && evaluation.origin === null ? [evaluation] : [],
  );
  return { list, finished };
}
