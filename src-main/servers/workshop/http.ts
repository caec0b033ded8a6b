import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { WorkshopBackend } from '../../services/workshop/serving.ts';
import {
  announceChanges,
  createWorkshopServer,
  logToStandardError,
  type WorkshopLog,
} from './workshopServer.ts';

/** This computer only: nothing else can reach the address. */
const host = '127.0.0.1';
const closeGraceMs = 1000;
/** A session keeps a server and perhaps a stream; more than these are not clients but a fault. */
const maxSessions = 100;
const requestTimeoutMs = 60_000;

export interface HttpWorkshopOptions {
  backend: WorkshopBackend;
  /** 0 takes any free one. */
  port: number;
  /** Every request carries it: `Authorization: Bearer …`. */
  token: string;
  log?: WorkshopLog;
}

interface Session {
  connection: McpServer;
  transport: StreamableHTTPServerTransport;
  /** The last change that it was told of, or began with. */
  told: number;
  /** Its stream is open: what is announced arrives. */
  listens: boolean;
}

/**
 * Serves streamable HTTP under /mcp with sessions, so that clients hear of changed lists. Throws
 * TROUBLE where the port can't be had.
 */
export async function serveWorkshopOverHttp({
  backend,
  port,
  token,
  log = logToStandardError,
}: HttpWorkshopOptions): Promise<{ url: string; close(): Promise<void> }> {
  const sessions = new Map<string, Session>();
  const http = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log(`request failed: ${errorCode(error) ?? errorText(error)}`);
      if (response.headersSent) response.destroy();
      else reply(response, 500, 'Internal server error');
    });
  });
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
  const taken = (http.address() as AddressInfo).port;
  const watching = new AbortController();
  let changes = 0;
  const listeners = (): McpServer[] => {
    changes += 1;
    for (const session of sessions.values()) if (session.listens) session.told = changes;
    return [...sessions.values()].map(({ connection }) => connection);
  };
  const announcing = announceChanges(backend, listeners, watching.signal, log);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request, taken, token);
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? sessions.get(id) : undefined;
    if (refusal !== null) reply(response, refusal.status, refusal.message);
    else if (session !== undefined && request.method === 'GET')
      await Promise.all([
        session.transport.handleRequest(request, response),
        tellWhatWasMissed(session, response),
      ]);
    else if (session !== undefined) await session.transport.handleRequest(request, response);
    else if (id !== undefined) reply(response, 404, 'This session is over. Begin a new one.');
    else if (request.method !== 'POST')
      reply(response, 400, 'A session is needed: begin with initialize.');
    else if (sessions.size >= maxSessions) reply(response, 503, 'Too many sessions are open.');
    else await openSession(request, response);
  }

  /**
   * A client opens its stream some time after it has listed the tools: a change in between would
   * never reach it.
   */
  async function tellWhatWasMissed(session: Session, response: ServerResponse): Promise<void> {
    while (!response.headersSent && !response.destroyed) await yieldToEventLoop();
    if (response.destroyed || response.statusCode !== 200) return;
    session.listens = true;
    response.once('close', () => (session.listens = false));
    if (session.told === changes) return;
    session.told = changes;
    await session.connection.server.sendToolListChanged().catch(() => undefined);
  }

  async function openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = createWorkshopServer(backend, log);
    const told = changes;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) =>
        void sessions.set(id, { connection, transport, told, listens: false }),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    // The optional handlers of the two types differ only in whether undefined may be assigned.
    await connection.connect(transport);
    await transport.handleRequest(request, response);
    // What began no session is forgotten.
    if (transport.sessionId === undefined) await connection.close();
  }

  return {
    url: `http://${host}:${taken}/mcp`,
    async close() {
      watching.abort();
      const closed = once(http, 'close');
      http.close();
      await Promise.all([...sessions.values()].map(({ connection }) => connection.close()));
      const deadline = setTimeout(() => http.closeAllConnections(), closeGraceMs);
      http.closeIdleConnections();
      await closed;
      clearTimeout(deadline);
      await announcing;
    },
  };
}

/**
 * A web page must not reach this server under a name of its own (DNS rebinding), nor from another
 * origin, nor anybody without the token.
 */
function refuse(
  { headers, url, method }: IncomingMessage,
  port: number,
  token: string,
): { status: number; message: string } | null {
  const own = [`${host}:${port}`, `localhost:${port}`];
  if (headers.host === undefined || !own.includes(headers.host))
    return { status: 403, message: 'This Host is not served here.' };
  if (headers.origin !== undefined && !own.some((name) => headers.origin === `http://${name}`))
    return { status: 403, message: 'This Origin is not allowed.' };
  if (!isToken(headers.authorization, token))
    return { status: 401, message: 'The token is missing or wrong.' };
  if (url?.split('?', 1)[0] !== '/mcp')
    return { status: 404, message: 'Only /mcp is served here.' };
  if (!['POST', 'GET', 'DELETE'].includes(method ?? ''))
    return { status: 405, message: 'Only POST, GET and DELETE are served here.' };
  return null;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from((header ?? '').replace(/^Bearer /, ''));
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 405 && { allow: 'POST, GET, DELETE' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
