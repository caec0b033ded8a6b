import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { createClient } from './connect.ts';
import { ConnectionLost, type Connection } from './connection.ts';
import { ApiContext, type Api, type Queries } from './useApi.ts';

/** Works offline: nothing here waits for the browser to report that it is online. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: (failures, error) => error instanceof ConnectionLost && failures < 2,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

interface ApiProviderProps {
  /** Created once, outside of React: a second render must not open a second socket. */
  connection: Connection;
  queryClient: QueryClient;
  children: ReactNode;
}

export function ApiProvider({ connection, queryClient, children }: ApiProviderProps) {
  const state = useSyncExternalStore(connection.subscribe, connection.state);
  const fixed = useMemo(() => {
    const client = createClient(connection);
    return {
      client,
      reread: async (...parts: readonly { key: () => QueryKey }[]) => {
        const filters = parts.length === 0 ? [{}] : parts.map((each) => ({ queryKey: each.key() }));
        await Promise.all(filters.map((filter) => queryClient.invalidateQueries(filter)));
      },
      queries: createTanstackQueryUtils(client) as unknown as Queries,
      host: connection.host,
      signIn: connection.signIn,
    };
  }, [connection, queryClient]);
  const api = useMemo<Api>(() => ({ ...fixed, connection: state }), [fixed, state]);

  // Changes during a lost connection were missed, so everything on the screen is loaded again.
  useEffect(() => {
    let wasLost = false;
    return connection.subscribe(() => {
      const now = connection.state();
      if (now === 'lost' || now === 'refused') wasLost = true;
      if (now !== 'open' || !wasLost) return;
      wasLost = false;
      void queryClient.invalidateQueries();
    });
  }, [connection, queryClient]);

  return (
    <QueryClientProvider client={queryClient}>
      <ApiContext value={api}>{children}</ApiContext>
    </QueryClientProvider>
  );
}
