import { createORPCClient } from '@orpc/client';
import type { Client } from '../../src-shared/contract/index.ts';
import { bridgeName } from '../../src-shared/domain/connection.ts';
import type { Connection } from './connection.ts';
import { connectByPort } from './portConnection.ts';
import { connectBySocket } from './socketConnection.ts';

export type { Client };

/** Connects to the core of this page. Only this module knows the transport. */
export function connect(): Connection {
  return bridgeName in window ? connectByPort() : connectBySocket();
}

export function createClient(connection: Pick<Connection, 'link'>): Client {
  return createORPCClient<Client>(connection.link);
}
