import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of a refused body is read, for how long, and how long its sender may pause. */
const maxDiscardedBytes = 256 * 1024 * 1024;
const maxDiscardMs = 5000;
const maxPauseMs = 500;

/** Reads a body up to a limit in bytes, and never holds more than that. */
export function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<{ text: string } | 'too large' | 'lost'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const read = (part: Buffer) => {
      length += part.length;
      if (length <= limit) {
        parts.push(part);
        return;
      }
      request.off('data', read).pause();
      resolve('too large');
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      resolve('too large');
      return;
    }
    request.on('end', () => resolve({ text: Buffer.concat(parts).toString('utf8') }));
    request.on('close', () => resolve('lost'));
    request.on('error', () => resolve('lost'));
    request.on('data', read);
  });
}

/** An answer that does not depend on the body of its request. */
export interface EarlyAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Answers a request whose body is not wanted, and closes its connection. The rest of the body is
 * discarded first, within limits: closing at once would reset the connection, and a client that is
 * still sending would never see the answer.
 */
export async function answerEarly(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: EarlyAnswer,
): Promise<void> {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': length });
  response.write(body);
  await discardBody(request);
  response.end();
}

function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let length = 0;
    const stop = () => {
      clearTimeout(deadline);
      clearTimeout(pause);
      request.off('data', count).pause();
      resolve();
    };
    const count = (part: Buffer) => {
      length += part.length;
      pause.refresh();
      if (length > maxDiscardedBytes) stop();
    };
    const deadline = setTimeout(stop, maxDiscardMs);
    const pause = setTimeout(stop, maxPauseMs);
    request.on('end', stop).on('close', stop).on('error', stop).on('data', count);
    request.resume();
  });
}
