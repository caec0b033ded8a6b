import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FarRetriever } from '../../../src-shared/domain/retrievalRun.ts';
import { useApi } from '../../api/index.ts';

/** Keeps a retriever that was understood in the settings, the last of its kind, so that it can be chosen elsewhere too. */
export function useKeepRetriever(): (spec: FarRetriever) => void {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const keeping = useMutation({
    mutationFn: async (spec: FarRetriever) => {
      const { farRetrievers } = await client.settings.get();
      return client.settings.update({
        farRetrievers: [...farRetrievers.filter(({ kind }) => kind !== spec.kind), spec],
      });
    },
    onSuccess: (settings) => {
      cache.setQueryData(queries.settings.get.queryKey(), settings);
    },
  });
  return keeping.mutate;
}
