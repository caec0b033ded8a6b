import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Client } from '../../src-shared/contract/index.ts';
import {
  pageTokenHeader,
  socketPath,
  socketProtocol,
  socketTokenPrefix,
} from '../../src-shared/domain/connection.ts';
import type { LoopbackHost } from '../hosts/loopback/startLoopback.ts';

/** What a browser has after it opened a link of the loopback window. */
export interface SignedInPage {
  port: number;
  /** `name=value`, as the browser sends it back. */
  cookie: string;
  pageToken: string;
  origin: string;
}

export async function signIn(host: LoopbackHost): Promise<SignedInPage> {
  const { port } = host.endpoint;
  const response = await fetch(host.newUrl());
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  const pageToken = /data-token="([^"]+)"/.exec(await response.text())?.[1];
  if (response.status !== 200 || cookie === undefined || pageToken === undefined)
    throw new Error('The link opened no session.');
  return { port, cookie, pageToken, origin: `http://127.0.0.1:${port}` };
}

/** The headers of a call by the page. */
export function pageHeaders({ cookie, pageToken, origin }: SignedInPage): Record<string, string> {
  return { cookie, origin, [pageTokenHeader]: pageToken, 'content-type': 'application/json' };
}

export async function openPageSocket(
  page: SignedInPage,
): Promise<{ client: Client; socket: WebSocket }> {
  const socket = new WebSocket(
    `ws://127.0.0.1:${page.port}${socketPath}`,
    [socketProtocol, socketTokenPrefix + page.pageToken],
    {
      headers: { cookie: page.cookie },
      origin: page.origin,
    },
  );
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return {
    client: createORPCClient<Client>(new RPCLink({ websocket: socket })),
    socket,
  };
}
