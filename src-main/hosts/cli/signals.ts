import { waitAtMost } from '../../runtime/deadline.ts';
import { onLauncherEnd } from '../../runtime/onLauncherEnd.ts';

/** One Ctrl-C can arrive twice: from the terminal, and from the npm process that forwards it. */
export const duplicateInterruptMs = 500;
/** How long cleanup may take after an interrupt. */
const maxCleanupMs = 4_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const cleanups = new Set<() => unknown>();
let interrupted = false;

/**
 * Calls `stop` on the first interrupt and exits on the second. Returns a function that
 * unsubscribes.
 */
export function onInterrupt(stop: () => void): () => void {
  let askedAt: number | null = null;
  const listener = (signal: NodeJS.Signals) => {
    // Whatever the command still does then: a system that is asked to end programs doesn't wait.
    if (signal === 'SIGTERM') setTimeout(() => process.exit(3), maxCleanupMs).unref();
    const now = performance.now();
    if (askedAt !== null && now - askedAt > duplicateInterruptMs) process.exit(3);
    if (askedAt !== null) return;
    askedAt = now;
    stop();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Waits until the program is interrupted. */
export async function untilInterrupted(): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const done = onInterrupt(stopped.resolve);
  await stopped.promise;
  done();
}

/**
 * Registers cleanup that must run before the program ends, even after an interrupt. Returns a
 * function that unregisters it.
 */
export function registerCleanup(close: () => unknown): () => void {
  cleanups.add(close);
  return () => void cleanups.delete(close);
}

/** True after an interrupt: errors from now on are its consequence and are not reported. */
export const isInterrupted = (): boolean => interrupted;

/**
 * Handles interrupts for commands that do not handle them themselves: runs the registered cleanup
 * (databases, locks, child processes, folders) and exits with 3. Without it, the system would end
 * the process in the middle of its work.
 */
export function exitOnInterrupt(say: (text: string) => void): void {
  let askedAt = 0;
  for (const signal of signals) {
    process.on(signal, () => {
      // The command handles the signal itself, see `onInterrupt`.
      if (process.listenerCount(signal) > 1) return;
      const now = performance.now();
      if (interrupted && now - askedAt > duplicateInterruptMs) process.exit(3);
      if (interrupted) return;
      say('Stopped.');
      [interrupted, askedAt] = [true, now];
      const closed = Promise.allSettled([...cleanups].map(async (close) => close()));
      void waitAtMost(maxCleanupMs, closed).finally(() => process.exit(3));
    });
  }
}

/**
 * Ends the program when its launcher is killed, as if its terminal had been closed: a command that
 * handles signals itself ends in order. One that hangs is given up.
 */
export function endWithLauncher(launcherPipe: number | null): void {
  onLauncherEnd(launcherPipe, () => {
    setTimeout(() => process.exit(3), 2 * maxCleanupMs).unref();
    process.emit('SIGHUP', 'SIGHUP');
  });
}
