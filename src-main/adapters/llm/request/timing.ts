import { setTimeout as wait } from 'node:timers/promises';

/** Time as a parameter, so that tests of long waits don't wait. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects at once where the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1: spreads the retries of many requests. */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
  random: () => Math.random(),
};
