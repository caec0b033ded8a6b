import { setTimeout as delay } from 'node:timers/promises';
import { waitAtMost } from '../../runtime/deadline.ts';

/** One Ctrl-C can arrive twice: from the terminal, and from the npm process that forwards it. */
export const sameInterruptMs = 500;
/** How long cleanup may take after an interrupt. */
const closingMs = 5_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const held = new Set<() => unknown>();
let ending = false;

/**
 * Calls `stop` on the first interrupt and exits on the second. Returns a function that
 * unsubscribes.
 */
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
 * Registers cleanup that must run before the program ends, even after an interrupt. Returns a
 * function that unregisters it.
 */
export function keepUntilClosed(close: () => unknown): () => void {
  held.add(close);
  return () => void held.delete(close);
}

/** True after an interrupt: errors from now on are its consequence and are not reported. */
export const isEnding = (): boolean => ending;

/**
 * Handles interrupts for commands that do not handle them themselves: runs the registered cleanup
 * (databases, locks, child processes, folders) and exits with 3. Without it, the system would end
 * the process in the middle of its work.
 */
export function endOnInterrupt(say: (text: string) => void): void {
  let askedAt = 0;
  for (const signal of signals) {
    process.on(signal, () => {
      // The command handles the signal itself, see `onInterrupt`.
      if (process.listenerCount(signal) > 1) return;
      const now = performance.now();
      if (ending && now - askedAt > sameInterruptMs) process.exit(3);
      if (ending) return;
      say('Stopped.');
      [ending, askedAt] = [true, now];
      const closed = Promise.allSettled([...held].map(async (close) => close()));
      void waitAtMost(closingMs, closed).finally(() => process.exit(3));
    });
  }
}
