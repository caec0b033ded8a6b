import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  createTodoServer,
  logToStandardError,
  systemTime,
  type TodoServerOptions,
} from './todoServer.ts';
import { TodoStore } from './todoStore.ts';
import type { TodoLog } from './todoTools.ts';

/** This computer only: nothing else can reach the address. */
const host = '127.0.0.1';
/** How long a request that is under way may take to end when the server closes. */
const closeGraceMs = 1000;

export interface HttpTodoServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves streamable HTTP under /mcp; port 0 takes any free one. Throws TROUBLE where the port can't
 * be had.
 */
export async function serveTodoOverHttp({
  file,
  port,
  clock = systemTime,
  log = logToStandardError,
}: TodoServerOptions & { port: number }): Promise<HttpTodoServer> {
  const store = new TodoStore(file, clock);
  const http = createServer((request, response) => void answer(request, response, store, log));
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
      },
      { cause: error },
    );
  }
  const { port: taken } = http.address() as AddressInfo;
  return {
    url: `http://${host}:${taken}/mcp`,
    async close() {
      const closed = once(http, 'close');
      http.close();
      const deadline = setTimeout(() => http.closeAllConnections(), closeGraceMs);
      await closed;
      clearTimeout(deadline);
      store.close();
    },
  };
}

/**
 * Every request is answered by a server of its own: no session has to be kept, found or forgotten.
 */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: TodoStore,
  log: TodoLog,
): Promise<void> {
  const refusal = refuse(request);
  if (refusal !== null) {
    reply(response, refusal.status, refusal.message);
    return;
  }
  const server = createTodoServer(store, log);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.once('close', () => void server.close());
  try {
    await server.connect(transport);
    await transport.handleRequest(request, response);
  } catch (error) {
    log(`request failed: ${errorCode(error) ?? errorText(error)}`);
    if (response.headersSent) response.destroy();
    else reply(response, 500, 'Internal server error');
  }
}

/**
 * A web page must not reach this server under a name of its own (DNS rebinding), nor from another
 * origin.
 */
function refuse({
  headers,
  url,
  method,
  socket,
}: IncomingMessage): { status: number; message: string } | null {
  const own = [`${host}:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (headers.host === undefined || !own.includes(headers.host))
    return { status: 403, message: 'This Host is not served here.' };
  if (headers.origin !== undefined && !own.some((name) => headers.origin === `http://${name}`)) {
    return { status: 403, message: 'This Origin is not allowed.' };
  }
  if (url?.split('?', 1)[0] !== '/mcp')
    return { status: 404, message: 'Only /mcp is served here.' };
  // Neither a stream of its own nor a session to end is offered.
  if (method !== 'POST') return { status: 405, message: 'Only POST is served here.' };
  return null;
}

function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 405 && { allow: 'POST' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
