import { DeadlinePassed, unlessAborted, withinDeadline } from '../../../runtime/deadline.ts';
import { ChatFailure } from '../chatModel.ts';
import type { Throttle } from './throttle.ts';
import type { Timing } from './timing.ts';
import { readTrouble } from './trouble.ts';

/**
 * The longest wait that a provider may ask for; beyond it the evaluation stops and says until when.
 */
export const maxWaitMs = 30_000;

/**
 * Beyond the time for one attempt, so much may go into further ones and the waits before them: then
 * a question has had its time.
 */
const maxBeyondMs = 60_000;

export interface SendOptions {
  /** Names provider and host in every message. */
  thing: string;
  /** For one attempt, from the first byte sent to the last received. */
  timeoutMs: number;
  maxRetries: number;
  signal: AbortSignal;
  timing: Timing;
  throttle: Throttle;
  requestsPerMinute: number | null;
}

/**
 * Asks until there is an answer: again after 408, 409, 429, 5xx and lost connections, at most
 * `maxRetries` times; never after a refused key, spent quota, or its own deadline. All attempts and
 * the waits between them have one deadline together. `elapsedMs` is that of the attempt that
 * succeeded.
 */
export async function sendWithRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  options: SendOptions,
): Promise<{ value: T; elapsedMs: number }> {
  const { thing, timeoutMs, maxRetries, signal, timing, throttle, requestsPerMinute } = options;
  const totalMs = timeoutMs + maxBeyondMs;
  let spentMs = 0;
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    const release = await throttle.acquire(signal, {
      perMinute: requestsPerMinute,
      waited: retries > 0,
    });
    const allowedMs = Math.min(timeoutMs, totalMs - spentMs);
    const began = performance.now();
    let waitMs: number;
    try {
      const value = await withinDeadline(allowedMs, signal, (either) =>
        unlessAborted(attempt(either), either),
      );
      throttle.succeeded();
      return { value, elapsedMs: performance.now() - began };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DeadlinePassed)
        throw new ChatFailure(
          'provider',
          `${thing} gave no whole answer within ${allowedMs / 1000} s.`,
          { cause: error },
        );
      const trouble = readTrouble(error, thing, timing.now());
      const { afterMs } = trouble;
      const bearable = afterMs === null || afterMs <= maxWaitMs;
      if (trouble.overload) throttle.overloaded(bearable ? afterMs : null);
      if (!trouble.retry) throw trouble.failure;
      if (!bearable) throw tooLong(trouble.failure, afterMs, timing.now());
      if (retries >= maxRetries) throw trouble.failure;
      waitMs = afterMs ?? backOffMs(retries, timing.random());
      spentMs += performance.now() - began + waitMs;
      if (spentMs >= totalMs)
        throw new ChatFailure(
          'provider',
          `${trouble.failure.message} With its retries the question has had its ` +
            `${totalMs / 1000} s.`,
          { cause: error },
        );
    } finally {
      release();
    }
    await timing.wait(waitMs, signal);
  }
}

/** 0.5 s, 1 s, 2 s … up to 8 s, of which up to half is taken off at random. */
function backOffMs(retries: number, random: number): number {
  return Math.min(8_000, 500 * 2 ** retries) * (1 - random / 2);
}

function tooLong(failure: ChatFailure, afterMs: number, now: number): ChatFailure {
  const until = now + afterMs;
  const time = until <= 8.64e15 ? new Date(until).toISOString() : 'a time beyond all calendars';
  return new ChatFailure(
    'provider',
    `${failure.message} It asks to wait until ${time}, longer than the ${maxWaitMs / 1000} s ` +
      'that are waited for. Resume the evaluation after that.',
    {
      fatal: true,
      cause: failure,
      ...(failure.response !== null && { response: failure.response }),
    },
  );
}
