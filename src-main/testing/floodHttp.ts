import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

const batchSize = 250;

export interface Flood {
  /** How many of its connections the server has not closed yet. */
  readonly open: number;
  end(): void;
}

/**
 * Opens connections as a program would that wants to lock others out: one half sends nothing, the
 * other half a header without an end. `between` runs after each 250 of them, while all are held.
 */
export async function floodHttp(
  port: number,
  count: number,
  between: () => Promise<void>,
): Promise<Flood> {
  const open = new Set<Socket>();
  for (let opened = 0; opened < count; opened += batchSize) {
    await Promise.all(
      Array.from({ length: batchSize }, async (_, index) => {
        const socket = connect(port, '127.0.0.1');
        open.add(socket);
        socket.on('close', () => open.delete(socket));
        socket.on('error', () => undefined);
        socket.resume();
        await once(socket, 'connect');
        if (index % 2 === 0)
          socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Half`);
      }),
    );
    await between();
  }
  return {
    get open() {
      return open.size;
    },
    end() {
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * Posts a body of this many megabytes on a connection of its own, whole or in chunks without a
 * length, and reads the answer. Rejects if the connection is reset before the answer was read.
 */
export async function postMegabytes(
  url: string,
  megabytes: number,
  headers: Readonly<Record<string, string>>,
  chunked: boolean,
): Promise<{ status: number | undefined; body: string }> {
  const part = Buffer.alloc(1024 * 1024, 'a');
  const sent = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      ...(chunked
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(megabytes * part.length) }),
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const failed = new Promise<never>((_resolve, reject) => sent.on('error', reject));
  const send = async (): Promise<void> => {
    for (let done = 0; done < megabytes; done += 1)
      await new Promise((resolve) => sent.write(part, resolve));
    sent.end();
  };
  await Promise.race([send(), failed]);
  const [response] = await Promise.race([answered, failed]);
  return { status: response.statusCode, body: await Promise.race([text(response), failed]) };
}

/** The status of a request on a connection of its own. */
export async function requestAlone(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const sent = request(url, { agent: false, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
