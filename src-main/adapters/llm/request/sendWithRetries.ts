import { ChatFailure } from '../chatModel.ts';
import type { Timing } from './timing.ts';
import { readTrouble } from './trouble.ts';

/** The longest wait that a provider may ask for; beyond it the evaluation stops and says until when. */
export const longestWaitMs = 30_000;

export interface SendOptions {
  /** Names provider and host in every message. */
  thing: string;
  /** For one attempt, from the first byte sent to the last received. */
  timeoutMs: number;
  maxRetries: number;
  signal: AbortSignal;
  timing: Timing;
}

/**
 * Asks until there is an answer: again after 408, 409, 429, 5xx and lost connections, at most `maxRetries` times; never after a refused key, spent quota,
 * or its own deadline. `elapsedMs` is that of the attempt that succeeded.
 */
export async function sendWithRetries<T>(attempt: (signal: AbortSignal) => Promise<T>, options: SendOptions): Promise<{ value: T; elapsedMs: number }> {
  const { thing, timeoutMs, maxRetries, signal, timing } = options;
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const either = AbortSignal.any([signal, deadline.signal]);
    const began = performance.now();
    try {
      const value = await unlessAborted(attempt(either), either);
      return { value, elapsedMs: performance.now() - began };
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.signal.aborted) throw new ChatFailure('provider', `${thing} gave no whole answer within ${timeoutMs / 1000} s.`, { cause: error });
      const trouble = readTrouble(error, thing, timing.now());
      if (!trouble.retry) throw trouble.failure;
      const { afterMs } = trouble;
      if (afterMs !== null && afterMs > longestWaitMs) throw tooLong(trouble.failure, afterMs, timing.now());
      if (retries >= maxRetries) throw trouble.failure;
      await timing.wait(afterMs ?? backOffMs(retries, timing.random()), signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** 0.5 s, 1 s, 2 s … up to 8 s, of which up to half is taken off at random. */
function backOffMs(retries: number, random: number): number {
  return Math.min(8_000, 500 * 2 ** retries) * (1 - random / 2);
}

function tooLong(failure: ChatFailure, afterMs: number, now: number): ChatFailure {
  const until = now + afterMs;
  const time = until <= 8.64e15 ? new Date(until).toISOString() : 'a time beyond all calendars';
  return new ChatFailure('provider', `${failure.message} It asks to wait until ${time}, longer than the ${longestWaitMs / 1000} s that are waited for. Resume the evaluation after that.`, {
    fatal: true,
    cause: failure,
    ...(failure.response !== null && { response: failure.response }),
  });
}

/** What is under way may take its time to notice; the caller does not wait for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(new Error('Stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
