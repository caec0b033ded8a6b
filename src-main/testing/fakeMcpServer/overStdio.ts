import { createInterface } from 'node:readline';
import { handle, parseIncoming, type Served } from './answer.ts';
import type { Mode, Wire } from './wire.ts';

export function serveStdio(mode: Mode, served: Served): void {
  const wire: Wire = {
    send: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
    raw: (bytes) => void process.stdout.write(bytes),
  };
  // A client that is gone must not cause a stack trace.
  process.stdout.on('error', () => undefined);
  mode.start?.(wire);
  if (mode.deaf === true) {
    setInterval(() => undefined, 1000);
    return;
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = parseIncoming(line);
    if (message !== null) handle(mode, served, message, wire);
  });
}
