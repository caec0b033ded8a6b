import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useApi, useRead, useSample } from '../../../api/index.ts';
import { pollWhileChecking } from '../server/serverState.ts';

/** The servers, and what is known of their tools: at once what is kept, then the whole. */
export function useTools() {
  const { queries } = useApi();
  const cache = useQueryClient();
  const servers = useRead((ask) => ask.servers.list, {
    // A first listing may be under way, such as that of a new workspace.
    refetchInterval: ({ state }) =>
      pollWhileChecking(state.data) ||
      (state.data?.some(({ toolCount }) => toolCount === null) === true ? 2_000 : 15_000),
  });
  const sample = useSample();
  const early = useRead((ask) => ask.tools.list, { input: { wait: false } });
  const whole = useRead((ask) => ask.tools.list, {
    input: { wait: true },
    enabled: early.data?.complete === false,
    placeholderData: keepPreviousData,
  });
  const basis =
    servers.data &&
    JSON.stringify([
      // Once the sample is evaluated, its tools have numbers.
      sample.data?.evaluating === true,
      servers.data.map(({ id, name, listedAt, changedTools }) => [
        id,
        name,
        listedAt,
        changedTools,
      ]),
    ]);
  const before = useRef(basis);
  useEffect(() => {
    // What was read for the first servers is new; several parts of a page read the same.
    if (before.current !== undefined && before.current !== basis)
      void cache.invalidateQueries({ queryKey: queries.tools.key() });
    before.current = basis;
  }, [basis, cache, queries]);
  const list = early.data?.complete === false ? (whole.data ?? early.data) : early.data;
  return { servers, list, query: { ...early, data: list } };
}

/**
 * What is known of the tools of one server, as in the table of all. A server that this one leaves
 * out, such as one of the sample, is read by itself.
 */
export function useToolsOf(serverId: string) {
  const { list, query } = useTools();
  const isLeftOut = list?.servers.some(({ id, counted }) => id === serverId && !counted) === true;
  const own = useRead((ask) => ask.tools.list, {
    input: { servers: [serverId] },
    enabled: isLeftOut,
    placeholderData: keepPreviousData,
  });
  return isLeftOut ? own : query;
}

/** The choice of servers, which all views of the tools share, in the address. */
export function useServerChoice() {
  const [params, setParams] = useSearchParams();
  const chosen = params.getAll('server');
  return {
    chosen,
    choose: (names: readonly string[]): void =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete('server');
          for (const name of names) next.append('server', name);
          return next;
        },
        { replace: true },
      ),
  };
}
