import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

/** The actions on a server's card and page. */
export function useServerActions(id: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: queries.servers.key() });
  const check = useMutation({ mutationFn: () => client.servers.check({ id }), onSettled: refresh });
  const listTools = useMutation({
    mutationFn: () => client.servers.refreshTools({ id }),
    onSettled: refresh,
  });
  return { check, listTools, refresh };
}
