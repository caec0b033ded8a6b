import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import {
  closeHttp,
  listenOnLoopback,
  refuseForeignPage,
  refuseOtherPath,
  replyWithError,
  replyWithFailure,
  type Refusal,
} from '../loopbackHttp.ts';
import type { WorkshopBackend } from '../../services/workshop/serving.ts';
import {
  announceChanges,
  createWorkshopServer,
  logToStandardError,
  type WorkshopLog,
} from './workshopServer.ts';

/** Each session holds a server and maybe a stream; more of them indicate a faulty client. */
const maxSessions = 100;
const requestTimeoutMs = 60_000;

export interface HttpWorkshopOptions {
  backend: WorkshopBackend;
  /** 0 takes any free port. */
  port: number;
  /** Required of every request, as `Authorization: Bearer …`. */
  token: string;
  log?: WorkshopLog;
}

interface Session {
  connection: McpServer;
  transport: StreamableHTTPServerTransport;
  /** The last change that was announced to it, or that it began with. */
  announcedChange: number;
  /** True while its stream is open, so that announcements arrive. */
  isListening: boolean;
}

/**
 * Serves streamable HTTP under /mcp, with sessions so that changed lists can be announced. Throws
 * TROUBLE if the port is not free.
 */
export async function serveWorkshopOverHttp({
  backend,
  port,
  token,
  log = logToStandardError,
}: HttpWorkshopOptions): Promise<{ url: string; close(): Promise<void> }> {
  const sessions = new Map<string, Session>();
  const http = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    answer(request, response).catch((error: unknown) => replyWithFailure(response, error, log));
  });
  const { url } = await listenOnLoopback(http, port);
  const watching = new AbortController();
  let changes = 0;
  const listeners = (): McpServer[] => {
    changes += 1;
    for (const session of sessions.values())
      if (session.isListening) session.announcedChange = changes;
    return [...sessions.values()].map(({ connection }) => connection);
  };
  const announcing = announceChanges(backend, listeners, watching.signal, log);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request, token);
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? sessions.get(id) : undefined;
    if (refusal !== null) reply(response, refusal.status, refusal.message);
    else if (session !== undefined && request.method === 'GET')
      await Promise.all([
        session.transport.handleRequest(request, response),
        announceMissedChange(session, response),
      ]);
    else if (session !== undefined) await session.transport.handleRequest(request, response);
    else if (id !== undefined) reply(response, 404, 'This session is over. Begin a new one.');
    else if (request.method !== 'POST')
      reply(response, 400, 'A session is needed: begin with initialize.');
    else if (sessions.size >= maxSessions) reply(response, 503, 'Too many sessions are open.');
    else await openSession(request, response);
  }

  /**
   * Announces a change that happened after a client listed the tools and before it opened its
   * stream.
   */
  async function announceMissedChange(session: Session, response: ServerResponse): Promise<void> {
    while (!response.headersSent && !response.destroyed) await yieldToEventLoop();
    if (response.destroyed || response.statusCode !== 200) return;
    session.isListening = true;
    response.once('close', () => (session.isListening = false));
    if (session.announcedChange === changes) return;
    session.announcedChange = changes;
    await session.connection.server.sendToolListChanged().catch(() => undefined);
  }

  async function openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = createWorkshopServer(backend, log);
    const announcedChange = changes;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) =>
        void sessions.set(id, { connection, transport, announcedChange, isListening: false }),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    // The optional handlers of the two types differ only in whether undefined may be assigned.
    await connection.connect(transport);
    await transport.handleRequest(request, response);
    // A request that began no session needs no server any more.
    if (transport.sessionId === undefined) await connection.close();
  }

  return {
    url,
    async close() {
      watching.abort();
      await closeHttp(http, () =>
        Promise.all([...sessions.values()].map(({ connection }) => connection.close())),
      );
      await announcing;
    },
  };
}

function refuse(request: IncomingMessage, token: string): Refusal | null {
  const refusal = refuseForeignPage(request);
  if (refusal !== null) return refusal;
  if (!isToken(request.headers.authorization, token))
    return { status: 401, message: 'The token is missing or wrong.' };
  const otherPath = refuseOtherPath(request);
  if (otherPath !== null) return otherPath;
  return ['POST', 'GET', 'DELETE'].includes(request.method ?? '')
    ? null
    : { status: 405, message: 'Only POST, GET and DELETE are served here.' };
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from((header ?? '').replace(/^Bearer /, ''));
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function reply(response: ServerResponse, status: number, message: string): void {
  replyWithError(
    response,
    { status, message },
    {
      ...(status === 405 && { allow: 'POST, GET, DELETE' }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
  );
}
