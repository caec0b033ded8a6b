import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { WebSocket, type ClientOptions } from 'ws';
import { socketPath, socketProtocol, socketTokenPrefix } from '../../src-shared/domain/connection.ts';
import type { SignedInPage } from './loopbackPage.ts';

/** How a handshake ended: an open socket with the stream under it, or the status that refused it. */
export type Handshake = { status: 101; socket: WebSocket; stream: Duplex } | { status: number; socket: null };

export interface HandshakeParts {
  cookie?: string;
  origin?: string;
  pageToken?: string;
  options?: ClientOptions;
}

export function shakeHands(port: number, { cookie, origin, pageToken, options = {} }: HandshakeParts): Promise<Handshake> {
  const protocols = [socketProtocol, ...(pageToken === undefined ? [] : [socketTokenPrefix + pageToken])];
  const socket = new WebSocket(`ws://127.0.0.1:${port}${socketPath}`, protocols, { ...options, ...(origin === undefined ? {} : { origin }), headers: cookie === undefined ? {} : { cookie } });
  return new Promise((resolve, reject) => {
    let stream: Duplex | null = null;
    socket.on('upgrade', (response) => {
      stream = response.socket;
    });
    socket.on('open', () => {
      if (stream !== null) resolve({ status: 101, socket, stream });
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve({ status: response.statusCode ?? 0, socket: null });
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

/** A socket of a signed-in page, where only the bytes on it are of interest. */
export async function openRawSocket(page: SignedInPage, options: ClientOptions = {}): Promise<{ socket: WebSocket; stream: Duplex }> {
  const opened = await shakeHands(page.port, { cookie: page.cookie, origin: page.origin, pageToken: page.pageToken, options });
  if (opened.socket === null) throw new Error(`The handshake was refused (${opened.status}).`);
  return opened;
}

export interface RawReply {
  status: number;
  code: string;
}

/** Sends one message as it is and waits for what comes back: an answer, or the code with which the socket was closed. */
export async function exchangeText(socket: WebSocket, message: string | Buffer): Promise<RawReply | { closed: number }> {
  const settled = new AbortController();
  const answer = once(socket, 'message', { signal: settled.signal }) as Promise<[Buffer]>;
  const end = once(socket, 'close', { signal: settled.signal }) as Promise<[number]>;
  // The one that is not waited for any more rejects when it is called off.
  answer.catch(() => undefined);
  end.catch(() => undefined);
  socket.send(message);
  const first = await Promise.race([answer.then(([data]) => ({ data })), end.then(([closed]) => ({ closed }))]);
  settled.abort();
  if ('closed' in first) return first;
  const { p } = JSON.parse(first.data.toString('utf8')) as { p: { s?: number; b: { json?: { code?: string } } } };
  return { status: p.s ?? 200, code: p.b.json?.code ?? '' };
}
