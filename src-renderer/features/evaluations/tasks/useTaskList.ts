import { useQuery } from '@tanstack/react-query';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../api/index.ts';

const pollMs = 1500;

/** The newest task evaluations, or the what-ifs of one, read again while one runs. */
export function useTaskList(limit: number, baseId: string | null = null) {
  const { queries } = useApi();
  return useQuery(
    queries.evaluations.list.queryOptions({
      input: { unit: 'task', limit, baseId },
      refetchInterval: (query) =>
        query.state.data?.some(({ state }) => !hasEnded(state)) === true ? pollMs : false,
    }),
  );
}
