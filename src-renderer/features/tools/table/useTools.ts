import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useApi } from '../../../api/index.ts';
import { pollWhileChecking } from '../../servers/serverState.ts';

/** The servers, and what is known of their tools: at once what is kept, then the whole. */
export function useTools() {
  const { queries } = useApi();
  const cache = useQueryClient();
  const servers = useQuery(
    queries.servers.list.queryOptions({
      // A first listing may be under way, such as that of a new workspace.
      refetchInterval: ({ state }) =>
        pollWhileChecking(state.data) ||
        (state.data?.some(({ toolCount }) => toolCount === null) === true ? 2_000 : 15_000),
    }),
  );
  const early = useQuery(queries.tools.list.queryOptions({ input: { wait: false } }));
  const whole = useQuery(
    queries.tools.list.queryOptions({
      input: { wait: true },
      enabled: early.data?.complete === false,
      placeholderData: keepPreviousData,
    }),
  );
  const basis = JSON.stringify(
    servers.data?.map(({ id, name, listedAt, changedTools }) => [id, name, listedAt, changedTools]),
  );
  useEffect(() => {
    void cache.invalidateQueries({ queryKey: queries.tools.key() });
  }, [basis, cache, queries]);
  const list = early.data?.complete === false ? (whole.data ?? early.data) : early.data;
  return { servers, list, query: { ...early, data: list } };
}

/** The choice of servers, which all views of the tools share, in the address. */
export function useServerChoice() {
  const [params, setParams] = useSearchParams();
  const chosen = params.getAll('server');
  return {
    chosen,
    choose: (names: readonly string[]): void => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete('server');
          for (const name of names) next.append('server', name);
          return next;
        },
        { replace: true },
      );
    },
  };
}
