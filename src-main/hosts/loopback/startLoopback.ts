import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorStack } from '../../../src-shared/domain/errorText.ts';
import { createRpcServer } from '../../rpc/peers.ts';
import { systemClock, type Clock } from '../../runtime/clock.ts';
import { limitConnections } from '../../runtime/limitConnections.ts';
import type { Log } from '../../runtime/log.ts';
import type { Services } from '../../services/services.ts';
import { addressIn, checkBindHost, loopbackAddress } from '../../endpoint/bindHost.ts';
import { listen } from '../../endpoint/listen.ts';
import { refuseUpgrade } from '../../endpoint/refuseUpgrade.ts';
import { checkHost, checkOrigin, refuse, type Refusal } from '../../endpoint/requestChecks.ts';
import { createSockets } from '../../endpoint/sockets.ts';
import { answer, refuseEarly, sendText } from './answers.ts';
import { checkGuard, type GuardedRequest } from './guards.ts';
import { findRoute, type Route } from './routes.ts';
import { createSessions, type Session } from './sessions.ts';

export interface LoopbackOptions {
  services: Services;
  rendererFolder: string;
  /**
   * The user's HOST, by default from the environment. Anything but this machine's own address is
   * rejected.
   */
  host?: string | undefined;
  /** The port that the user asked for, with no fallback. 0 takes any free port. */
  port?: number | undefined;
  log: Log;
  clock?: Clock;
  limits?: Partial<LoopbackLimits>;
}

/** Limits against slow or silent clients, shortened in tests. */
interface LoopbackLimits {
  headersMs: number;
  requestMs: number;
  heartbeatMs: number;
}
const defaultLimits: LoopbackLimits = { headersMs: 5000, requestMs: 30_000, heartbeatMs: 30_000 };

export interface LoopbackHost {
  /** The first sign-in link, valid once. */
  url: string;
  newUrl(): string;
  /** For commands of the same user: stored in a file that only this user can read. */
  endpoint: { port: number; token: string };
  close(): Promise<void>;
}

/**
 * Serves page and contract on 127.0.0.1. Every request passes the checks of Host and Origin and its
 * route's guard before anything reads it.
 */
export async function startLoopback(options: LoopbackOptions): Promise<LoopbackHost> {
  const { services, rendererFolder, log, clock = systemClock } = options;
  checkBindHost(options.host ?? addressIn(process.env['HOST']));
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, limits.requestMs) / 2,
    keepAliveTimeout: 5000,
    maxHeaderSize: 16 * 1024,
    joinDuplicateHeaders: false,
    // A missing Host header is rejected and logged like a foreign one.
    requireHostHeader: false,
  });
  const connections = limitConnections(server);
  const port = await listen(server, options.port);
  const sessions = createSessions(clock);
  const rpc = createRpcServer(services, log);
  const sockets = createSockets(rpc, limits.heartbeatMs);

  const newUrl = () => `http://${loopbackAddress}:${port}/open?token=${sessions.newLinkToken()}`;

  const admit = (request: IncomingMessage, upgrade: boolean): Admitted | { refused: Refusal } => {
    const refusal = checkHost(request, port) ?? checkOrigin(request, port);
    if (refusal !== null) return { refused: refusal };
    const at = locate(request);
    if (at === null) return { refused: refuse(400, 'Bad request.', 'a malformed address') };
    const route = findRoute(request.method ?? '', at.path, upgrade);
    if (route === 404) return { refused: refuse(404, "The page doesn't exist.", 'no route') };
    if (route === 405)
      return { refused: refuse(405, 'Method not allowed.', 'no route by this method') };
    const entry = checkGuard(route, at, sessions, port);
    return entry.refusal === null
      ? { refused: null, route, at, session: entry.session }
      : { refused: entry.refusal };
  };
  // Requests are not logged. Why a foreign one was refused is, once in a row: it explains a page that
  // does not open, or names who tried.
  let lastRefusal = '';
  const noteRefusal = (status: number, reason: string) => {
    if ((status !== 400 && status !== 403 && status !== 503) || reason === lastRefusal) return;
    lastRefusal = reason;
    log.info(`A request was refused: ${reason}.`);
  };

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admitted = admit(request, false);
    if (admitted.refused !== null) {
      noteRefusal(admitted.refused.status, admitted.refused.reason);
      await refuseEarly(request, response, admitted.refused.status, admitted.refused.message);
      return;
    }
    connections.keep(request, response);
    try {
      await answer(admitted.route, admitted.at, admitted.session, response, {
        rpc,
        rendererFolder,
        port,
        newUrl,
        invite: (session) => sessions.invite(session),
      });
    } catch (error) {
      log.error(`${admitted.route.method} ${admitted.route.path}: ${errorStack(error)}`);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Something went wrong inside Touchstone.');
    }
  };
  server.on('request', (request, response) => void onRequest(request, response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const admitted = admit(request, true);
    if (admitted.refused !== null) {
      noteRefusal(admitted.refused.status, admitted.refused.reason);
      refuseUpgrade(socket, admitted.refused.status, 'Refused');
      return;
    }
    const accepted = sockets.accept(request, socket, head);
    if (accepted) connections.release(socket);
    else noteRefusal(503, 'too many windows');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 408
        : error.code === 'HPE_HEADER_OVERFLOW'
          ? 431
          : 400;
    refuseUpgrade(socket, status, 'Refused');
  });

  return {
    url: newUrl(),
    newUrl,
    endpoint: { port, token: sessions.commandToken },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Admitted = { refused: null; route: Route; at: GuardedRequest; session: Session | null };

/**
 * The path of a request, still encoded; whoever opens a file decodes it. Null if the target is not
 * a path of this host.
 */
function locate(request: IncomingMessage): GuardedRequest | null {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.length > 4096) return null;
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2);
  return { request, path, query: new URLSearchParams(query) };
}
