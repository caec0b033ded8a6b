import { ORPCError } from '@orpc/client';
import { ConnectionLost } from './connection.ts';

const firstPauseMs = 100;
const maxPauseMs = 3000;

/**
 * Passes on the items of a stream until it ends or the signal aborts. After the reader fell behind or
 * lost its connection, the stream is opened again. Rejects with any other error, such as an unknown
 * id.
 */
export async function follow<Item>(
  open: () => Promise<AsyncIterable<Item>>,
  onItem: (item: Item) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const item of await open()) {
        if (isAborted(signal)) return;
        failures = 0;
        onItem(item);
      }
      return;
    } catch (error) {
      // A reader ends by aborting its signal, whatever error the transport makes of that.
      if (isAborted(signal)) return;
      if (!mayResume(error)) throw error;
      await pause(Math.min(firstPauseMs * 2 ** failures, maxPauseMs), signal);
      failures += 1;
    }
  }
}

/** A function, because the compiler assumes that a signal checked once stays the same. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function mayResume(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof ORPCError && error.code === 'LAGGED');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
