import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { handle, parseIncoming, type Served } from './answer.ts';
import type { Mode, Wire } from './wire.ts';

/** Serves until the client ends its output, unless the mode is deaf. */
export async function serveStdio(
  mode: Mode,
  served: Served,
  { stdin, stdout }: { stdin: Readable; stdout: Writable } = process,
): Promise<void> {
  const wire: Wire = {
    send: (message) => void stdout.write(`${JSON.stringify(message)}\n`),
    raw: (bytes) => void stdout.write(bytes),
  };
  // A client that is gone must not cause a stack trace.
  stdout.on('error', () => undefined);
  mode.start?.(wire);
  if (mode.deaf === true) {
    setInterval(() => undefined, 1000);
    return;
  }
  const lines = createInterface({ input: stdin });
  lines.on('line', (line) => {
    const message = parseIncoming(line);
    if (message !== null) handle(mode, served, message, wire);
  });
  await once(lines, 'close');
}
