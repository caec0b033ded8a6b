import { connect } from 'node:net';

export interface RawAnswer {
  /** Null if the connection ended without an answer. */
  status: number | null;
  text: string;
}

/**
 * Sends raw bytes, which no HTTP client would, and reads until the host closes the connection; with
 * `until` first, only the first part of its answer: a host waits for a body that was declared.
 */
export function sendRaw(
  port: number,
  bytes: string | readonly string[],
  until: 'closed' | 'first' = 'closed',
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? null : Number(status), text });
    };
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      text += part;
      if (until === 'first') socket.destroy();
    });
    // A host that refuses a body may reset the connection after its answer.
    socket.on('error', () => undefined);
    socket.on('close', end);
    socket.on('connect', () => {
      for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part, 'latin1');
    });
  });
}

/** A request with exactly these header lines. `Connection: close` makes its end visible. */
export function rawRequest(
  method: string,
  target: string,
  headers: readonly string[],
  body = '',
): string {
  return [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n');
}

/** The lines of a WebSocket handshake without Host and credentials. */
const handshakeLines = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

export function rawHandshake(target: string, headers: readonly string[]): string {
  return [`GET ${target} HTTP/1.1`, ...headers, ...handshakeLines, '', ''].join('\r\n');
}
