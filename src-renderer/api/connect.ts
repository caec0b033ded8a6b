import { createORPCClient } from '@orpc/client';
import type { Client } from '../../src-shared/contract/index.ts';
import { bridgeName, portHandover, portRequest } from '../../src-shared/domain/connection.ts';
import { type Connection, createReconnectingLink } from './connection.ts';
import { connectBySocket } from './socketConnection.ts';
import { RPCLink } from '@orpc/client/message-port';

export type { Client };

/** Connects to the core of this page. Only this module knows the transport. */
export function connect(): Connection {
  return bridgeName in window ? connectByPort() : connectBySocket();
}

export function createClient(connection: Pick<Connection, 'link'>): Client {
  return createORPCClient<Client>(connection.link);
}

/**
 * In the Electron window: gets the port of this page from the preload script. It lives as long as
 * the page.
 */
function connectByPort(): Connection {
  const reconnecting = createReconnectingLink();
  const onMessage = (event: MessageEvent<unknown>) => {
    const [port] = event.ports;
    if (event.source !== window || event.data !== portHandover || port === undefined) return;
    window.removeEventListener('message', onMessage);
    // Before the link is told, so that a call that fails then knows that its transport is gone.
    port.addEventListener('close', () => reconnecting.disconnected('lost'));
    reconnecting.connected(new RPCLink({ port }));
    port.start();
  };
  window.addEventListener('message', onMessage);
  window.postMessage(portRequest, '*');
  return {
    host: 'electron',
    link: reconnecting.link,
    state: reconnecting.state,
    subscribe: reconnecting.subscribe,
    signIn: () => undefined,
    close: () => window.removeEventListener('message', onMessage),
  };
}
