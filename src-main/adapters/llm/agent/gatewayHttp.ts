/** The servers of an agent's gateway over streamable HTTP, for agents that connect by an address. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { answerEarly, readBody } from '../../../runtime/requestBody.ts';

/** A client gives up a response that is silent for too long, and a call may wait for minutes. */
const aliveMs = 15_000;

interface HttpParts {
  maxBytes: number;
  /** The server that a path names, if the request may reach it. */
  serverOf: (path: string, authorization: string) => string | null;
  /** Reads what was posted: how many answers `send` will be called with. */
  read: (text: string, server: string, send: (message: JsonObject) => void) => number;
}

/**
 * Listens on this computer alone. Every request is answered by itself: there are no sessions, and
 * nothing that a server says without being asked.
 * https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#streamable-http
 */
export async function serveGatewayHttp(parts: HttpParts): Promise<Server> {
  // Importing it loads Node's whole HTTP client, which a start without agents doesn't need.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => void answer(parts, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return server;
}

export const originOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function answer(
  { maxBytes, serverOf, read }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => undefined);
  const { authorization = '', host, origin } = request.headers;
  const name = serverOf(request.url ?? '', authorization);
  const isLocal = host === `127.0.0.1:${request.socket.localPort}` && origin === undefined;
  const refuse = (status: number): Promise<void> =>
    answerEarly(request, response, { status, headers: { allow: 'POST' }, body: '' });
  if (!isLocal) return refuse(403);
  if (name === null) return refuse(401);
  if (request.method !== 'POST') return refuse(405);
  const body = await readBody(request, maxBytes);
  if (body === 'too large') return refuse(413);
  if (body === 'lost') return;
  let left = 0;
  const events: string[] = [];
  // Answers may come at once, before it is known how many there are.
  const flush = (): void => {
    if (response.headersSent) for (const event of events.splice(0)) response.write(event);
    if (response.headersSent && left === 0) response.end();
  };
  const asked = read(body.text, name, (message) => {
    events.push(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    left -= 1;
    flush();
  });
  left += asked;
  if (asked === 0) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const alive = setInterval(() => response.write(': waiting\n\n'), aliveMs);
  response.once('close', () => clearInterval(alive));
  flush();
}
