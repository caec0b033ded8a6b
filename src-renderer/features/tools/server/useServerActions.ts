import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';

/** The actions on a server's card and page. */
export function useServerActions(id: string) {
  const { client, reread } = useApi();
  // Every analysis reads the stored tools, so all of them are asked again.
  const refresh = (): Promise<void> => reread();
  const check = useMutation({ mutationFn: () => client.servers.check({ id }), onSettled: refresh });
  const review = useMutation({
    mutationFn: () => client.servers.markReviewed({ id }),
    onSettled: refresh,
  });
  return { check, review };
}
