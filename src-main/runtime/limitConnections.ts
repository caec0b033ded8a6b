import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { yieldToEventLoop } from './yieldToEventLoop.ts';

/** More connections of one kind than a browser opens indicate a faulty or hostile program. */
export const maxConnectionsPerKind = 512;

/**
 * Closes the oldest connection when too many have sent no allowed request, and likewise when too
 * many are idle between two requests. `Server.maxConnections` would turn away the newest instead: a
 * local program that opens connections and sends nothing could then lock everyone else out.
 */
export function limitConnections(server: Server, max = maxConnectionsPerKind) {
  // Both in the order in which the connections became so.
  const unknown = new Set<Duplex>();
  const idle = new Set<Duplex>();
  let isDue = false;

  const closeSurplus = async (): Promise<void> => {
    // What new connections have sent already is read before one of them is called silent.
    await yieldToEventLoop();
    await yieldToEventLoop();
    isDue = false;
    for (const kind of [unknown, idle]) {
      let surplus = kind.size - max;
      for (const socket of kind) {
        if (surplus <= 0) break;
        surplus -= 1;
        kind.delete(socket);
        socket.destroy();
      }
    }
  };
  const add = (kind: Set<Duplex>, socket: Duplex): void => {
    kind.add(socket);
    if (kind.size <= max || isDue) return;
    isDue = true;
    void closeSurplus();
  };
  const release = (socket: Duplex): void => {
    unknown.delete(socket);
    idle.delete(socket);
  };

  server.on('connection', (socket: Duplex) => {
    add(unknown, socket);
    socket.once('close', () => release(socket));
  });
  return {
    /** The handshake passed its checks: other limits apply to its connection. */
    release,
    /** The request passed its checks: its connection is kept until it is answered. */
    keep({ socket }: IncomingMessage, response: ServerResponse): void {
      release(socket);
      response.once('close', () => {
        if (!socket.destroyed) add(idle, socket);
      });
    },
  };
}
