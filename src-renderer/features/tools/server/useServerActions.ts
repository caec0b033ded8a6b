import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';

/** The actions on a server's card and page. */
export function useServerActions(id: string) {
  const { client } = useApi();
  const cache = useQueryClient();
  // Every analysis reads the stored tools, so all of them are asked again.
  const refresh = (): Promise<void> => cache.invalidateQueries();
  const check = useMutation({ mutationFn: () => client.servers.check({ id }), onSettled: refresh });
  const review = useMutation({
    mutationFn: () => client.servers.markReviewed({ id }),
    onSettled: refresh,
  });
  return { check, review };
}
