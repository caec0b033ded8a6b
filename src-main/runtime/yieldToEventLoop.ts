/**
 * Long work on the main thread gives the event loop a turn from time to time, so that windows,
 * sockets and timers are served meanwhile.
 */
import { setImmediate } from 'node:timers/promises';

/** How long one piece of long work may hold the event loop. */
export const maxHoldMs = 20;
/** The same between runs of an evaluation, whose events are read while it runs. */
export const maxHoldBetweenRunsMs = 15;
/** The same for one of several transactions: each waits for the disk at its end. */
export const maxHoldInTransactionMs = 40;

/** Lets the event loop handle everything that is due, then returns. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** Yields if the work has held the event loop for long enough; undefined if it has not. */
export type YieldIfDue = () => Promise<void> | undefined;

/**
 * A YieldIfDue for one piece of long work, which awaits it between its parts. Parts that run
 * concurrently share one: they all wait for the same turn.
 */
export function createYielder(
  holdMs = maxHoldMs,
  now: () => number = () => performance.now(),
): YieldIfDue {
  let lastYieldAt = now();
  let turn: Promise<void> | undefined;
  return () => {
    if (turn === undefined && now() - lastYieldAt >= holdMs)
      turn = yieldToEventLoop().then(() => {
        turn = undefined;
        lastYieldAt = now();
      });
    return turn;
  };
}
