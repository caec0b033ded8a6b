import type { ContractRouterClient } from '@orpc/contract';
import type { RouterUtils } from '@orpc/tanstack-query';
import type { QueryKey } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Contract, UnitClients } from '../../src-shared/contract/index.ts';
import type { Client } from './connect.ts';
import type { ConnectionState, HostKind } from './connection.ts';

/** What `evaluations` answers follows from the unit that is asked for. */
export type Queries = {
  evaluations: RouterUtils<UnitClients['case']> & RouterUtils<UnitClients['task']>;
} & RouterUtils<ContractRouterClient<Contract>>;

export interface Api {
  client: Client;
  /** The contract as queries and mutations: `queries.suites.list.queryOptions()`. */
  queries: Queries;
  /** Reads again what is shown of these parts of the contract; of all of it where none is named. */
  reread: (...parts: readonly { key: () => QueryKey }[]) => Promise<void>;
  host: HostKind;
  /** For display: whether the core can be reached now. */
  connection: ConnectionState;
  /** Asks the other tabs of this browser for a session, if this one was refused. */
  signIn: () => void;
}

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = use(ApiContext);
  if (api === null) throw new Error('useApi belongs inside an ApiProvider.');
  return api;
}
