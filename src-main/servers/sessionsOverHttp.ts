import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Served } from './serveOverStdio.ts';
import { limitConnections } from '../runtime/limitConnections.ts';
import {
  closeHttp,
  listenOnLoopback,
  pathOf,
  readMessage,
  refuseForeignPage,
  refuseOtherPath,
  replyWithError,
  replyWithFailure,
  serverLimits,
  type Refusal,
} from './loopbackHttp.ts';

/** Each session holds a server and maybe a stream; more of them indicate a faulty client. */
const maxSessions = 100;

export interface HttpSessionsOptions<Server> {
  /** 0 takes any free port. */
  port: number;
  /** Required of every request, as `Authorization: Bearer …`; null: none is. */
  token: string | null;
  /** Where it is served; default: /mcp. */
  paths?: readonly string[];
  open: (path: string) => Server | Promise<Server>;
  /** Called with each request that opens the stream of a session. */
  onStream?: (server: Server, response: ServerResponse) => Promise<void>;
  log: (line: string) => void;
}

interface Session<Server> {
  path: string;
  server: Server;
  transport: StreamableHTTPServerTransport;
}

export interface HttpSessions<Server = unknown> {
  url: string;
  servers: () => Server[];
  close: () => Promise<void>;
}

/**
 * Serves streamable HTTP on this computer, with a server of its own for each session.
 * Throws TROUBLE if the port is not free.
 */
export async function serveSessionsOverHttp<Server extends Pick<Served, 'connect' | 'close'>>({
  port,
  token,
  paths,
  open,
  onStream,
  log,
}: HttpSessionsOptions<Server>): Promise<HttpSessions<Server>> {
  const sessions = new Map<string, Session<Server>>();
  const http = createServer(serverLimits);
  const connections = limitConnections(http);
  http.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) =>
      replyWithFailure(request, response, error, log),
    );
  });
  const { url } = await listenOnLoopback(http, port);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const found = typeof id === 'string' ? sessions.get(id) : undefined;
    const session = found?.path === pathOf(request) ? found : undefined;
    const refusal =
      refuse(request, token, paths) ?? (session === undefined ? refuseOpening(request) : null);
    if (refusal !== null) {
      await reply(request, response, refusal);
      return;
    }
    connections.keep(request, response);
    if (request.method === 'POST') await answerPost(session, request, response);
    else if (session !== undefined && request.method === 'GET')
      await Promise.all([
        session.transport.handleRequest(request, response),
        onStream?.(session.server, response),
      ]);
    else await session?.transport.handleRequest(request, response);
  }

  async function answerPost(
    session: Session<Server> | undefined,
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

  async function openSession(
    request: IncomingMessage,
    response: ServerResponse,
    message: unknown,
  ): Promise<void> {
    const path = pathOf(request);
    const server = await open(path);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { path, server, transport }),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    // The optional handlers of the two types differ only in whether undefined may be assigned.
    await server.connect(transport);
    await transport.handleRequest(request, response, message);
    // A request that began no session needs no server any more.
    if (transport.sessionId === undefined) await server.close();
  }

  const servers = (): Server[] => [...sessions.values()].map(({ server }) => server);
  return {
    url,
    servers,
    close: () => closeHttp(http, () => Promise.all(servers().map((server) => server.close()))),
  };
}

function refuse(
  request: IncomingMessage,
  token: string | null,
  paths?: readonly string[],
): Refusal | null {
  const refusal = refuseForeignPage(request);
  if (refusal !== null) return refusal;
  if (token !== null && !isToken(request.headers.authorization, token))
    return { status: 401, message: 'The token is missing or wrong.' };
  const otherPath = refuseOtherPath(request, paths);
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
