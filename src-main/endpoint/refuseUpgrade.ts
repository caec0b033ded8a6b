import type { Duplex } from 'node:stream';

/**
 * Rejects a handshake, which has no response object, and closes the socket even if its peer does
 * not.
 */
export function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
