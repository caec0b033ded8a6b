import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExternalRetriever } from '../../../src-shared/domain/retrievalRun.ts';
import { useApi } from '../../api/index.ts';

/**
 * Saves a working retriever in the settings, one per kind, so that it can be chosen elsewhere too.
 */
export function useKeepRetriever(): (spec: ExternalRetriever) => void {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const keeping = useMutation({
    mutationFn: async (spec: ExternalRetriever) => {
      const { externalRetrievers } = await client.settings.get();
      return client.settings.update({
        externalRetrievers: [...externalRetrievers.filter(({ kind }) => kind !== spec.kind), spec],
      });
    },
    onSuccess: (settings) => {
      cache.setQueryData(queries.settings.get.queryKey(), settings);
    },
  });
  return keeping.mutate;
}
