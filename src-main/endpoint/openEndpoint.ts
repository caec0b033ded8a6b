import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketPath } from '../../src-shared/domain/connection.ts';
import { createRpcServer } from '../rpc/peers.ts';
import { limitConnections } from '../runtime/limitConnections.ts';
import type { Log } from '../runtime/log.ts';
import { answerEarly } from '../runtime/requestBody.ts';
import type { Services } from '../services/services.ts';
import { listen } from './listen.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';
import { checkHost, checkOrigin, readBearer, refuse, type Refusal } from './requestChecks.ts';
import { createSockets } from './sockets.ts';
import { newToken, sameToken } from './tokens.ts';

const heartbeatMs = 30_000;
const headersMs = 5000;

/** A listening endpoint: what a command needs to reach it, and how it is closed. */
export interface Endpoint {
  port: number;
  token: string;
  close(): Promise<void>;
}

/**
 * Lets commands reach a window that needs no socket itself: one path on 127.0.0.1, for holders of
 * the token, which is in a file that only this user can read. It serves no page, sets no cookie and
 * rejects browsers.
 */
export async function openEndpoint(services: Services, log: Log): Promise<Endpoint> {
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: headersMs,
    connectionsCheckingInterval: headersMs / 2,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
  });
  const connections = limitConnections(server);
  const port = await listen(server, 0);
  const token = newToken();
  const sockets = createSockets(createRpcServer(services, log), heartbeatMs);
  server.on(
    'request',
    (request, response) =>
      void answerEarly(request, response, { status: 404, headers: {}, body: '' }),
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = admit(request, port, token);
    if (refusal === null) {
      if (sockets.accept(request, socket, head)) connections.release(socket);
      return;
    }
    log.info(`A command was refused: ${refusal.reason}.`);
    refuseUpgrade(socket, refusal.status, 'Refused');
  });
  server.on('clientError', (_error, socket: Duplex) => refuseUpgrade(socket, 400, 'Refused'));
  return {
    port,
    token,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function admit(request: IncomingMessage, port: number, token: string): Refusal | null {
  const refusal = checkHost(request, port) ?? checkOrigin(request, port);
  if (refusal !== null) return refusal;
  // Browsers send an Origin; no page may use this socket, not even one of this address.
  if (request.headers.origin !== undefined)
    return refuse(403, 'A page may not use this.', 'an Origin');
  if (request.url !== socketPath) return refuse(404, "The page doesn't exist.", 'no route');
  const bearer = readBearer(request);
  return bearer !== null && sameToken(bearer, token)
    ? null
    : refuse(401, 'The token is missing or wrong.', 'a wrong token');
}
