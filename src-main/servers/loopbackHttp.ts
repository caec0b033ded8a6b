import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import { errorCode, errorText } from '../../src-shared/domain/errorText.ts';
import { answerEarly, readBody } from '../runtime/requestBody.ts';

/** This computer only: no other machine can reach the address. */
const host = '127.0.0.1';
/** How long requests may take to end when the server closes. */
const closeGraceMs = 1000;

/** More than any tool call needs. */
const maxMessageBytes = 4 * 1024 * 1024;
const headersMs = 5000;

/** Limits of both servers against slow or silent clients. */
export const serverLimits = {
  headersTimeout: headersMs,
  requestTimeout: 60_000,
  connectionsCheckingInterval: headersMs / 2,
  maxHeaderSize: 16 * 1024,
};

export interface Refusal {
  status: number;
  message: string;
}

/** Listens on this computer; port 0 takes any free one. Throws TROUBLE if the port is not free. */
export async function listenOnLoopback(
  http: Server,
  port: number,
): Promise<{ port: number; url: string }> {
  http.listen(port, host);
  try {
    await once(http, 'listening');
  } catch (error) {
    throw new ServiceError(
      'TROUBLE',
      {
        thing: `Port ${port} on ${host}`,
        cause: `It can't be opened (${errorCode(error) ?? errorText(error)}).`,
        nextStep: 'Choose another port, or 0 for any free one.',
        field: 'port',
      },
      { cause: error },
    );
  }
  const { port: taken } = http.address() as AddressInfo;
  return { port: taken, url: `http://${host}:${taken}/mcp` };
}

/**
 * Refuses requests for another host name and from pages of another origin, so that no web page can
 * reach the server, not even by DNS rebinding.
 */
export function refuseForeignPage({ headers, socket }: IncomingMessage): Refusal | null {
  const own = [`${host}:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (headers.host === undefined || !own.includes(headers.host))
    return { status: 403, message: 'This Host is not served here.' };
  if (headers.origin !== undefined && !own.some((name) => headers.origin === `http://${name}`))
    return { status: 403, message: 'This Origin is not allowed.' };
  return null;
}

export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

export const refuseOtherPath = (
  request: IncomingMessage,
  served: readonly string[] = ['/mcp'],
): Refusal | null =>
  served.includes(pathOf(request))
    ? null
    : { status: 404, message: `Only ${served.join(', ')} is served here.` };

/** Refuses a request whatever its body is, with a JSON-RPC error that belongs to no request. */
export async function replyWithError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, code = -32000 }: Refusal & { code?: number },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await answerEarly(request, response, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }),
  });
}

/** The message of a POST; null if it can't be read, which is then answered. */
export async function readMessage(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ message: unknown } | null> {
  const body = await readBody(request, maxMessageBytes);
  if (body === 'lost') return null;
  if (body === 'too large') {
    const message = `The message is larger than ${maxMessageBytes / 1024 / 1024} MB.`;
    await replyWithError(request, response, { status: 413, message });
    return null;
  }
  try {
    return { message: JSON.parse(body.text) };
  } catch {
    const message = 'Parse error: the message is not JSON.';
    await replyWithError(request, response, { status: 400, message, code: -32_700 });
    return null;
  }
}

/** Logs why a request failed, and answers with status 500 if no answer was begun. */
export function replyWithFailure(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  log: (line: string) => void,
): void {
  log(`request failed: ${errorCode(error) ?? errorText(error)}`);
  if (response.headersSent) response.destroy();
  else void replyWithError(request, response, { status: 500, message: 'Internal server error' });
}

/**
 * Takes no new connections, calls `closeSessions`, and waits for the last requests, but not for
 * long.
 */
export async function closeHttp(
  http: Server,
  closeSessions: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const closed = once(http, 'close');
  http.close();
  await closeSessions();
  const deadline = setTimeout(() => http.closeAllConnections(), closeGraceMs);
  http.closeIdleConnections();
  await closed;
  clearTimeout(deadline);
}
