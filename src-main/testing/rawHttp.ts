import { connect, type Socket } from 'node:net';

export type Header = readonly [name: string, value: string];

export interface RawRequest {
  method?: string;
  target: string;
  headers: readonly Header[];
  body?: string;
}

/** `status` 0: the connection ended without an answer. */
export interface RawAnswer {
  status: number;
  /** Status line and headers, as they came. */
  head: string;
  body: string;
}

/** The bytes of a request, nothing tidied: a header may stand twice, or be missing. */
export function writeRequest({ method = 'GET', target, headers, body = '' }: RawRequest): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...length, '', body].join('\r\n');
}

/** Sends bytes as they are and reads one answer. A reset connection is an answer too: the end. */
export function sendRaw(port: number, bytes: string, whileOpen?: (socket: Socket) => void): Promise<RawAnswer> {
  return new Promise((resolve) => {
    // Latin-1 both ways, so that a byte is a character.
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, 'latin1');
      whileOpen?.(socket);
    });
    const settle = () => {
      resolve(readAnswer(received, true) ?? { status: 0, head: '', body: '' });
      socket.destroy();
    };
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (readAnswer(received, false) !== null) settle();
    });
    socket.on('error', () => undefined).on('close', settle);
  });
}

export function ask(port: number, request: RawRequest): Promise<RawAnswer> {
  return sendRaw(port, writeRequest(request));
}

/** Null while something is still missing. An answer without a length lasts until the end of the connection. */
function readAnswer(received: string, ended: boolean): RawAnswer | null {
  const end = received.indexOf('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
  if (end === -1 || status === 0) return null;
  const head = received.slice(0, end);
  const body = received.slice(end + 4);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? (status === 101 ? 0 : Number.POSITIVE_INFINITY));
  return ended || body.length >= length ? { status, head, body } : null;
}
