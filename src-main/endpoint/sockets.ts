import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { maxFrameLength, socketProtocol } from '../../src-shared/domain/connection.ts';
import type { RpcServer } from '../rpc/peers.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';

/** One per window or command; more than this is an error or an attack. */
export const maxSockets = 32;
const goingAway = 1001;

export interface Sockets {
  readonly open: number;
  /** Serves a handshake that passed its guard. False if there are too many sockets. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
}

/**
 * Serves the contract on each socket, and disconnects peers that do not answer a ping before the
 * next.
 */
export function createSockets(rpc: RpcServer, heartbeatMs: number): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameLength,
    perMessageDeflate: false,
    // Never returns the token, which was offered as a protocol too.
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  });
  const unresponsive = new WeakSet<WebSocket>();
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (unresponsive.has(socket)) {
        socket.terminate();
        continue;
      }
      unresponsive.add(socket);
      socket.ping();
    }
  }, heartbeatMs);
  heartbeat.unref();

  return {
    get open() {
      return server.clients.size;
    },
    accept(request, socket, head) {
      if (server.clients.size >= maxSockets) {
        refuseUpgrade(socket, 503, 'Too many windows');
        return false;
      }
      server.handleUpgrade(request, socket, head, (accepted) => {
        accepted.on('pong', () => unresponsive.delete(accepted));
        // The close event informs the RPC layer. An error without a listener would end the program.
        accepted.on('error', () => undefined);
        rpc.serveSocket(accepted);
      });
      return true;
    },
    async close() {
      clearInterval(heartbeat);
      const closed = [...server.clients].map(
        (socket) => new Promise<void>((resolve) => socket.on('close', () => resolve())),
      );
      for (const socket of server.clients) {
        socket.close(goingAway, 'Touchstone has ended.');
        // Not awaited: a peer that is gone does not answer the closing handshake.
        socket.terminate();
      }
      await Promise.all(closed);
    },
  };
}
