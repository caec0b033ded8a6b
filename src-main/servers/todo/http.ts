import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { limitConnections } from '../../runtime/limitConnections.ts';
import {
  closeHttp,
  listenOnLoopback,
  refuseForeignPage,
  refuseOtherPath,
  readMessage,
  replyWithError,
  replyWithFailure,
  serverLimits,
  type Refusal,
} from '../loopbackHttp.ts';
import {
  createTodoServer,
  logToStandardError,
  systemTime,
  type TodoServerOptions,
} from './todoServer.ts';
import { TodoStore } from './todoStore.ts';
import type { TodoLog } from './todoTools.ts';

export interface HttpTodoServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves streamable HTTP under /mcp; port 0 takes any free one. Throws TROUBLE where the port is
 * not free.
 */
export async function serveTodoOverHttp({
  file,
  port,
  clock = systemTime,
  log = logToStandardError,
}: TodoServerOptions & { port: number }): Promise<HttpTodoServer> {
  const store = new TodoStore(file, clock);
  const http = createServer(serverLimits);
  const connections = limitConnections(http);
  http.on('request', (request, response) => {
    // Anyone may ask here, so that a connection counts as known once its request is whole.
    request.once('end', () => connections.keep(request, response));
    void answer(request, response, store, log);
  });
  const { url } = await listenOnLoopback(http, port);
  return {
    url,
    async close() {
      await closeHttp(http);
      store.close();
    },
  };
}

/**
 * Answers every request with a server of its own, so that there are no sessions to keep.
 */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: TodoStore,
  log: TodoLog,
): Promise<void> {
  const refusal = refuse(request);
  if (refusal !== null) {
    await replyWithError(
      request,
      response,
      refusal,
      refusal.status === 405 ? { allow: 'POST' } : {},
    );
    return;
  }
  const read = await readMessage(request, response);
  if (read === null) return;
  const server = createTodoServer(store, log);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.once('close', () => void server.close());
  try {
    await server.connect(transport);
    await transport.handleRequest(request, response, read.message);
  } catch (error) {
    replyWithFailure(request, response, error, log);
  }
}

function refuse(request: IncomingMessage): Refusal | null {
  const refusal = refuseForeignPage(request) ?? refuseOtherPath(request);
  if (refusal !== null) return refusal;
  // Neither a stream of its own nor a session to end is offered.
  return request.method === 'POST' ? null : { status: 405, message: 'Only POST is served here.' };
}
