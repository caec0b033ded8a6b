import { setTimeout as delay } from 'node:timers/promises';

/** One Ctrl-C may arrive twice: from the terminal and from the npm that passes it on. */
export const sameInterruptMs = 500;
/** What is let go before an early end has so long for it. */
const closingMs = 5_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const held = new Set<() => unknown>();
let ending = false;

/** Ctrl-C asks once, politely; the second time it insists. */
export function onInterrupt(stop: () => void): () => void {
  let askedAt: number | null = null;
  const listener = () => {
    const now = performance.now();
    if (askedAt !== null && now - askedAt > sameInterruptMs) process.exit(3);
    if (askedAt !== null) return;
    askedAt = now;
    stop();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/**
 * What must be closed before the program ends, however it ends; the answer says that it is closed.
 */
export function keepUntilClosed(close: () => unknown): () => void {
  held.add(close);
  return () => void held.delete(close);
}

/** True from the first Ctrl-C on: what fails now fails because of it, and needs no words. */
export const isEnding = (): boolean => ending;

/**
 * Where nothing else answers a signal, the program ends by itself: what it holds (databases, locks,
 * child processes, folders) is closed, and the code is 3. Without it the system would end it in the
 * middle of everything.
 */
export function endOnInterrupt(say: (text: string) => void): void {
  let askedAt = 0;
  for (const signal of signals) {
    process.on(signal, () => {
      // A command that knows how to stop does so itself.
      if (process.listenerCount(signal) > 1) return;
      const now = performance.now();
      if (ending && now - askedAt > sameInterruptMs) process.exit(3);
      if (ending) return;
      say('Stopped.');
      [ending, askedAt] = [true, now];
      void Promise.race([
        Promise.allSettled([...held].map(async (close) => close())),
        delay(closingMs),
      ]).finally(() => process.exit(3));
    });
  }
}
