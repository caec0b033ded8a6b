import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { handle, parseIncoming, type Served } from './answer.ts';
import { answerOAuth } from './oauth.ts';
import type { Incoming, Mode, Wire } from './wire.ts';

/**
 * `json` and `events`: streamable HTTP with that kind of answer; `sse`: only the older transport
 * with its two addresses.
 */
export type HttpShape = 'json' | 'events' | 'sse';

/** Faults that only HTTP has, by mode; they occur in tools/list. */
type HttpFault = (message: Incoming, response: ServerResponse, location: string) => void;

const httpFaults: Record<string, HttpFault> = {
  'answer-500mb': (_message, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    flood(response, 500);
  },
  'gzip-bomb': (_message, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    flood(gzip, 500);
  },
  'endless-event': (_message, response) => {
    // With the older transport the stream is already open.
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    flood(response, 500);
  },
  'stalled-body': (_message, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0",');
  },
  'dropped-stream': (_message, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n', () => response.destroy());
  },
  html: (_message, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  'bad-event': (message, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ id: message.id, result: 'no object' })}\n\n`);
  },
  'list-500': (_message, response) => void response.writeHead(500).end('the database is locked'),
};

/**
 * The first session is forgotten after its handshake; `dead-session-always` forgets every session.
 */
let sessions = 0;
function forgets(name: string, request: IncomingMessage): boolean {
  const known = request.headers['mcp-session-id'] !== undefined;
  if (request.method !== 'POST' || !known) return false;
  sessions += 1;
  // The first request with a session is the notification that the handshake is done.
  return name === 'dead-session-always' ? sessions % 2 === 0 : sessions === 2;
}

/** How a server behaves, and what it offers. */
export interface HttpServing {
  name: string;
  mode: Mode;
  served: Served;
  shape: HttpShape;
  location: string;
}

/** Serves until the standard input of this process ends. What arrives is reported on standard error. */
export function serveHttp(serving: HttpServing): void {
  const server = createHttpServer(serving, (line) => process.stderr.write(`${line}\n`));
  server.listen(0, '127.0.0.1', () =>
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
  );
  process.stdin.resume().on('end', () => process.exit(0));
}

/** @param report gets what arrived, so that a test can search it for what must not arrive */
export function createHttpServer(
  { name, mode, served, shape, location }: HttpServing,
  report: (line: string) => void,
): Server {
  let stream: ServerResponse | null = null;
  return createServer((request, response) => {
    report(
      `${request.method} ${request.url} authorization=${request.headers.authorization ?? 'none'}`,
    );
    if (name === 'redirect') return void response.writeHead(307, { location }).end();
    if (name === 'unauthorized')
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    if (name.startsWith('dead-session') && forgets(name, request))
      return void response.writeHead(name === 'dead-session-410' ? 410 : 404).end();
    if (answerOAuth(name, request, response, readBody)) return;
    if (request.method === 'GET' && shape === 'sse') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        `event: endpoint\ndata: ${name === 'foreign-endpoint' ? location : '/messages'}\n\n`,
      );
      return;
    }
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    if (request.method !== 'POST' || (shape === 'sse' && request.url !== '/messages'))
      return void response.writeHead(405).end();
    void readBody(request).then((body) => {
      const message = parseIncoming(body);
      const events = shape === 'sse' ? stream : response;
      if (shape === 'sse') response.writeHead(202).end();
      if (message === null || events === null) {
        if (shape !== 'sse') response.writeHead(202).end();
        return;
      }
      const fault = httpFaults[name];
      if (fault !== undefined && message.method === 'tools/list')
        return fault(message, events, location);
      if (message.id === undefined && shape !== 'sse') response.writeHead(202).end();
      handle(mode, served, message, wireFor(shape, message, events));
    });
  });
}

function wireFor(shape: HttpShape, request: Incoming, response: ServerResponse): Wire {
  const session: Record<string, string> =
    request.method === 'initialize' ? { 'mcp-session-id': 'session-1' } : {};
  const raw = (bytes: string | Buffer): void => {
    if (shape !== 'sse' && !response.headersSent)
      response.writeHead(200, {
        'content-type': shape === 'events' ? 'text/event-stream' : 'application/json',
        ...session,
      });
    response.write(bytes);
  };
  const send = (message: JsonObject): void => {
    if (response.writableEnded) return;
    raw(shape === 'json' ? JSON.stringify(message) : `data: ${JSON.stringify(message)}\n\n`);
    if (shape !== 'sse' && message['id'] === request.id) response.end();
  };
  return { send, raw };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function flood(target: NodeJS.WritableStream, megabytes: number): void {
  const block = Buffer.alloc(1024 * 1024, 122);
  let left = megabytes;
  const more = (): void => {
    while (left > 0) {
      left -= 1;
      if (!target.write(block)) return void target.once('drain', more);
    }
    target.end();
  };
  target.on('error', () => undefined);
  more();
}
