import type { Duplex } from 'node:stream';

/**
 * A refused handshake has no response object; the socket is told and ended, whether its peer hangs
 * up or not.
 */
export function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
