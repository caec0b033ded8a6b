import { Worker } from 'node:worker_threads';
import { onLauncherEnd } from '../../runtime/onLauncherEnd.ts';

/** One Ctrl-C can arrive twice: from the terminal, and from the npm process that forwards it. */
export const duplicateInterruptMs = 500;
/** How long cleanup may take after an interrupt. */
const maxCleanupMs = 4_000;
/** When a program ends that can't even exit, because something holds its event loop. */
const maxStopMs = 4_600;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const cleanups = new Set<() => unknown>();
let interrupted = false;

const heartbeatMs = 300;
let beats: readonly [before: number, last: number] | null = null;

/**
 * Notes from time to time that the event loop runs: a signal that came while something held it is
 * handled only afterwards, and its time counts from when it may have come.
 */
function watchEventLoop(): void {
  if (beats !== null) return;
  beats = [performance.now(), performance.now()];
  setInterval(() => {
    beats = [beats?.[1] ?? 0, performance.now()];
  }, heartbeatMs).unref();
}

/** How long ago a signal that is handled now may have come. */
const mayHaveComeMs = (): number => (beats === null ? 0 : performance.now() - beats[0]);

let isEnding = false;

/**
 * Ends the program in time whatever it still does, since a system that is asked to end programs
 * doesn't wait: with 3 if its event loop has a turn by then, else from another thread.
 */
function endInTime(): void {
  if (isEnding) return;
  isEnding = true;
  const waited = mayHaveComeMs();
  setTimeout(() => process.exit(3), Math.max(0, maxCleanupMs - waited)).unref();
  const at = Date.now() + Math.max(maxStopMs - maxCleanupMs, maxStopMs - waited);
  const watchdog = new Worker(
    `const { at } = require('node:worker_threads').workerData;
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, at - Date.now()));
     process.kill(process.pid, 'SIGKILL');`,
    // None of the program's variables, and none of its options.
    { eval: true, env: {}, execArgv: [], workerData: { at } },
  );
  watchdog.on('error', () => undefined);
  watchdog.unref();
}

/**
 * Calls `stop` on the first interrupt and exits on the second. Returns a function that
 * unsubscribes.
 */
export function onInterrupt(stop: () => void): () => void {
  let askedAt: number | null = null;
  const listener = () => {
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
  watchEventLoop();
  for (const signal of signals) {
    process.on(signal, () => {
      if (signal === 'SIGTERM') endInTime();
      // The command handles the signal itself, see `onInterrupt`.
      if (process.listenerCount(signal) > 1) return;
      const now = performance.now();
      if (interrupted && now - askedAt > duplicateInterruptMs) process.exit(3);
      if (interrupted) return;
      say('Stopped.');
      [interrupted, askedAt] = [true, now];
      if (signal !== 'SIGTERM') endInTime();
      const closed = Promise.allSettled([...cleanups].map(async (close) => close()));
      void closed.finally(() => process.exit(3));
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
