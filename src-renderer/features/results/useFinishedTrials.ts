import { useQuery } from '@tanstack/react-query';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../api/index.ts';

const limit = 50;

/** Finished results of cases and tasks on which other texts can be tried; the newest first. */
export function useFinishedTrials() {
  const { queries } = useApi();
  const list = useQuery(queries.results.list.queryOptions({ input: { limit } }));
  const finished = (list.data?.groups ?? []).flatMap(({ lead: { evaluation } }) =>
    hasEnded(evaluation.state) && evaluation.origin === null ? [evaluation] : [],
  );
  return { list, finished };
}
