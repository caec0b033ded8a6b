import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';

/** Reads of `/proc` between two turns of the event loop; each takes about ten microseconds. */
const readsPerTurn = 100;

/**
 * Runs a generator that yields after each read. The reads are synchronous, because the kernel
 * answers from memory: the thread pool would take ten times as long and block its other users.
 */
export async function runInTurns<T>(reads: Generator<void, T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    const { done, value } = reads.next();
    if (done === true) return value;
    if (count % readsPerTurn === 0) await yieldToEventLoop();
  }
}

/** Runs the same reads without a pause, for the exit of this program. */
export function runAtOnce<T>(reads: Generator<void, T>): T {
  for (;;) {
    const { done, value } = reads.next();
    if (done === true) return value;
  }
}
