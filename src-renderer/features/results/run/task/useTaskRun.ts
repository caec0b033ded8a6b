import { skipToken, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../../api/index.ts';
import type { RunAddress } from '../../links.ts';

/** A run with its trajectory; nothing is read without an address. */
export function useTaskRun(address: RunAddress | null) {
  const { queries } = useApi();
  return useQuery(
    queries.evaluations.run.queryOptions({
      input: address ? { unit: 'task', ...address } : skipToken,
    }),
  );
}
