import { DeadlinePassed, unlessAborted, withinDeadline } from '../../../runtime/deadline.ts';
import { ChatFailure } from '../chatModel.ts';
import type { Throttle } from './throttle.ts';
import type { Timing } from './timing.ts';
import { classifyFailure } from './classifyFailure.ts';
import { SendingHalted, type RequestAccount, type SentRequest } from './requestAccount.ts';

/**
 * The longest wait that a provider may ask for. For a longer one the evaluation stops and says until
 * when.
 */
export const maxWaitMs = 30_000;

/**
 * The time for retries and the waits before them, in addition to the time for one attempt.
 */
const maxRetryMs = 60_000;

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
  /** Counts each attempt. Absent: what it costs is nobody's business, as with counting tokens. */
  account?: RequestAccount | undefined;
}

/**
 * Sends a request until there is an answer. It retries after 408, 409, 429, 5xx and lost
 * connections, at most `maxRetries` times; never after a rejected key, spent quota or its own
 * deadline. All attempts and the waits between them share one deadline. `elapsedMs` is that of the
 * successful attempt; `sent` is open, because only who reads the answer knows its tokens. The SDKs' own retries sleep through an abort and have no limit, so they are
 * off.
 */
export async function sendWithRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  options: SendOptions,
): Promise<{ value: T; elapsedMs: number; sent: SentRequest | undefined }> {
  const { thing, timeoutMs, maxRetries, signal, timing, throttle, requestsPerMinute } = options;
  const { account } = options;
  const waiting = account?.waiting(signal) ?? signal;
  const totalMs = timeoutMs + maxRetryMs;
  let spentMs = 0;
  for (let retries = 0; ; retries += 1) {
    waiting.throwIfAborted();
    const release = await throttle.acquire(waiting, {
      perMinute: requestsPerMinute,
      waited: retries > 0,
    });
    const allowedMs = Math.min(timeoutMs, totalMs - spentMs);
    const startedAt = performance.now();
    let waitMs: number;
    let sent: SentRequest | undefined;
    try {
      sent = account?.begin();
      const value = await withinDeadline(allowedMs, signal, (either) =>
        unlessAborted(attempt(either), either),
      );
      throttle.succeeded();
      return { value, elapsedMs: performance.now() - startedAt, sent };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SendingHalted) throw error;
      if (error instanceof DeadlinePassed)
        throw new ChatFailure(
          'provider',
          `${thing} sent no complete answer within ${allowedMs / 1000} s.`,
          { cause: error },
        );
      const failed = classifyFailure(error, thing, timing.now());
      const { afterMs } = failed;
      if (failed.unbilled) sent?.rejected();
      const acceptable = afterMs === null || afterMs <= maxWaitMs;
      if (failed.overload) throttle.overloaded(acceptable ? afterMs : null);
      if (!failed.retry) throw failed.failure;
      if (!acceptable) throw tooLong(failed.failure, afterMs, timing.now());
      if (retries >= maxRetries) throw failed.failure;
      waitMs = afterMs ?? backOffMs(retries, timing.random());
      spentMs += performance.now() - startedAt + waitMs;
      if (spentMs >= totalMs)
        throw new ChatFailure(
          'provider',
          `${failed.failure.message} With its retries the request has used its ` +
            `${totalMs / 1000} s.`,
          { cause: error },
        );
    } finally {
      release();
    }
    await timing.wait(waitMs, waiting);
  }
}

/** 0.5 s, 1 s, 2 s … up to 8 s, reduced by up to half at random. */
function backOffMs(retries: number, random: number): number {
  return Math.min(8_000, 500 * 2 ** retries) * (1 - random / 2);
}

function tooLong(failure: ChatFailure, afterMs: number, now: number): ChatFailure {
  const until = now + afterMs;
  const time = until <= 8.64e15 ? new Date(until).toISOString() : 'a date too far in the future';
  return new ChatFailure(
    'provider',
    `${failure.message} It asks to wait until ${time}, longer than the ${maxWaitMs / 1000} s ` +
      'that Touchstone waits. Resume the evaluation after that.',
    {
      fatal: true,
      cause: failure,
      ...(failure.response !== null && { response: failure.response }),
    },
  );
}
