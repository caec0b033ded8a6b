import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { limitConnections } from '../../runtime/limitConnections.ts';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
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
import type { WorkshopBackend } from '../../services/workshop/serving.ts';
import {
  announceChanges,
  createWorkshopServer,
  logToStandardError,
  type WorkshopLog,
} from './workshopServer.ts';

/** Each session holds a server and maybe a stream; more of them indicate a faulty client. */
const maxSessions = 100;

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
  const http = createServer(serverLimits);
  const connections = limitConnections(http);
  http.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) =>
      replyWithFailure(request, response, error, log),
    );
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
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? sessions.get(id) : undefined;
    const refusal =
      refuse(request, token) ?? (session === undefined ? refuseOpening(request) : null);
    if (refusal !== null) {
      await reply(request, response, refusal);
      return;
    }
    connections.keep(request, response);
    if (request.method === 'POST') await answerPost(session, request, response);
    else if (session !== undefined && request.method === 'GET')
      await Promise.all([
        session.transport.handleRequest(request, response),
        announceMissedChange(session, response),
      ]);
    else await session?.transport.handleRequest(request, response);
  }

  async function answerPost(
    session: Session | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const read = await readMessage(request, response);
    if (read === null) return;
    if (session === undefined) await openSession(request, response, read.message);
    else await session.transport.handleRequest(request, response, read.message);
  }

  /** Why a request outside of a session can't open one. */
  function refuseOpening({ method, headers }: IncomingMessage): Refusal | null {
    if (headers['mcp-session-id'] !== undefined)
      return { status: 404, message: 'This session is over. Begin a new one.' };
    if (method !== 'POST')
      return { status: 400, message: 'A session is needed: begin with initialize.' };
    return sessions.size >= maxSessions
      ? { status: 503, message: 'Too many sessions are open.' }
      : null;
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

  async function openSession(
    request: IncomingMessage,
    response: ServerResponse,
    message: unknown,
  ): Promise<void> {
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
    await transport.handleRequest(request, response, message);
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

function reply(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): Promise<void> {
  return replyWithError(request, response, refusal, {
    ...(refusal.status === 405 && { allow: 'POST, GET, DELETE' }),
    ...(refusal.status === 401 && { 'www-authenticate': 'Bearer' }),
  });
}
