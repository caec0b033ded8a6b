import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { EchoServer } from '../services/workshop/executors/echo.ts';
import { readBody } from '../runtime/requestBody.ts';
import { listenOnLoopback, serverLimits } from './loopbackHttp.ts';

const maxBodyBytes = 1024 * 1024;

/** Starts an echo on this computer, on any free port. */
export async function openEchoServer(): Promise<EchoServer> {
  const server = createServer(serverLimits, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { port } = await listenOnLoopback(server, 0);
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request, maxBodyBytes);
  if (typeof body === 'string') {
    response.writeHead(413).end();
    return;
  }
  const { text } = body;
  const url = new URL(request.url ?? '/', 'http://echo.localhost');
  const { host: _host, connection: _connection, ...headers } = request.headers;
  const document = {
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body: text === '' ? null : text,
  };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(request.method === 'HEAD' ? undefined : JSON.stringify(document));
}
