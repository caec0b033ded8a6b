import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { maxFrameLength, socketProtocol } from '../../src-shared/domain/connection.ts';
import type { RpcServer } from '../rpc/peers.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';

/** A window or a command each; more than this is a fault or an attack. */
export const socketLimit = 32;
const goingAway = 1001;

export interface Sockets {
  readonly open: number;
  /** The handshake has passed its guard. False where there are too many already. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
}

/**
 * Serves the contract on each socket, and ends those whose peer does not answer a ping before the
 * next one is due.
 */
export function createSockets(rpc: RpcServer, heartbeatMs: number): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameLength,
    perMessageDeflate: false,
    // The token that was offered beside it is never sent back.
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  });
  const silent = new WeakSet<WebSocket>();
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.ping();
    }
  }, heartbeatMs);
  heartbeat.unref();

  return {
    get open() {
      return server.clients.size;
    },
    accept(request, socket, head) {
      if (server.clients.size >= socketLimit) {
        refuseUpgrade(socket, 503, 'Too many windows');
        return false;
      }
      server.handleUpgrade(request, socket, head, (accepted) => {
        accepted.on('pong', () => silent.delete(accepted));
        // The close event follows and tells the rpc; an error without a listener would end the
        // program.
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
        // Not waited for: whoever is gone does not answer the closing handshake either.
        socket.terminate();
      }
      await Promise.all(closed);
    },
  };
}
