import { useQuery } from '@tanstack/react-query';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../api/index.ts';

/** How often the pages of a task evaluation that is under way are refreshed, in milliseconds. */
export const pollMs = 1500;

/** The numbers and runs of a task evaluation; they are read again until it has ended. */
export function useTaskReport(id: string) {
  const { queries } = useApi();
  return useQuery(
    queries.taskEvaluations.report.queryOptions({
      input: { id },
      refetchInterval: (query) =>
        query.state.data !== undefined && !hasEnded(query.state.data.evaluation.state)
          ? pollMs
          : false,
    }),
  );
}
