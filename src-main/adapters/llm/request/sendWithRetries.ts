import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { DeadlinePassed, unlessAborted, withinDeadline } from '../../../runtime/deadline.ts';
import { ChatFailure } from '../chatModel.ts';
import type { Throttle } from './throttle.ts';
import type { Timing } from './timing.ts';
import { classifyFailure } from './classifyFailure.ts';
import { UnusableAnswer } from './endpointErrors.ts';
import { SendingHalted, type RequestAccount, type SentRequest } from './requestAccount.ts';

/**
 * The time for retries and the waits before them, in addition to the time for one attempt, unless a
 * longest wait is set.
 */
const retryMs = 60_000;

export interface SendOptions {
  /** Names provider and host in every message. */
  thing: string;
  /** For one attempt, from the first byte sent to the last received. */
  timeoutMs: number;
  maxRetries: number;
  /** For how long the waits before all attempts may last together; absent or null: see `retryMs`. */
  maxWaitMs?: number | null;
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
 * deadline. All attempts and the waits between them share one deadline; an endpoint that asks for a
 * wait beyond it stops the model, with the time when it can go on. `elapsedMs` is that of the
 * successful attempt until it calls `received`, or ends; `sent` is open, because only who reads the
 * answer knows its tokens. The SDKs' own retries sleep through an abort and have no limit, so they
 * are off.
 */
export async function sendWithRetries<T>(
  attempt: (signal: AbortSignal, received: () => void) => Promise<T>,
  options: SendOptions,
): Promise<{ value: T; elapsedMs: number; sent: SentRequest | undefined }> {
  const { thing, timeoutMs, maxRetries, signal, timing, throttle, requestsPerMinute } = options;
  const { account } = options;
  const waiting = account?.waiting(signal) ?? signal;
  const waitFor = <Value>(work: () => Promise<Value>): Promise<Value> =>
    account?.waitFor(work) ?? work();
  const totalMs = timeoutMs + (options.maxWaitMs ?? retryMs);
  let spentMs = 0;
  let waitedMs = 0;
  for (let retries = 0; ; retries += 1) {
    waiting.throwIfAborted();
    const turn = { perMinute: requestsPerMinute, waited: retries > 0 };
    const release = await waitFor(() => throttle.acquire(waiting, turn));
    const allowedMs = Math.min(timeoutMs, totalMs - spentMs);
    const startedAt = performance.now();
    let waitMs: number;
    let receivedAt = 0;
    const received = (): void => void (receivedAt ||= performance.now());
    let sent: SentRequest | undefined;
    try {
      sent = account?.begin();
      const value = await withinDeadline(allowedMs, signal, (either) =>
        unlessAborted(attempt(either, received), either),
      );
      throttle.succeeded();
      received();
      return { value, elapsedMs: receivedAt - startedAt, sent };
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
      const usage = error instanceof UnusableAnswer ? error.usage : null;
      if (usage) sent?.answered(usage, 'lost');
      else if (failed.unbilled) sent?.rejected();
      const leftMs =
        options.maxWaitMs == null
          ? totalMs - spentMs - (performance.now() - startedAt)
          : options.maxWaitMs - waitedMs;
      const acceptable = afterMs === null || afterMs <= leftMs;
      if (failed.overload) throttle.overloaded(acceptable ? afterMs : null);
      if (!failed.retry) throw failed.failure;
      if (!acceptable) throw tooLong(failed.failure, { afterMs, leftMs, now: timing.now() });
      if (retries >= maxRetries) throw failed.failure;
      waitMs = afterMs ?? backOffMs(retries, timing.random());
      waitedMs += waitMs;
      spentMs += performance.now() - startedAt + waitMs;
      if (spentMs >= totalMs)
        throw new ChatFailure(
          'provider',
          `${asSentence(failed.failure.message)} With its retries the request has used its ` +
            `${totalMs / 1000} s.`,
          { cause: error },
        );
    } finally {
      release();
    }
    try {
      await waitFor(() => timing.wait(waitMs, waiting));
    } catch (error) {
      // A timer says only that it was aborted; the reason tells what was halted from a failure.
      waiting.throwIfAborted();
      throw error;
    }
  }
}

/** 0.5 s, 1 s, 2 s … up to 8 s, reduced by up to half at random. */
function backOffMs(retries: number, random: number): number {
  return Math.min(8_000, 500 * 2 ** retries) * (1 - random / 2);
}

function tooLong(
  failure: ChatFailure,
  { afterMs, leftMs, now }: { afterMs: number; leftMs: number; now: number },
): ChatFailure {
  const until = now + afterMs;
  const time = until <= 8.64e15 ? new Date(until).toISOString() : 'a date too far in the future';
  return new ChatFailure(
    'provider',
    `${asSentence(failure.message)} It asks to wait until ${time}, longer than the ` +
      `${Math.max(0, Math.round(leftMs / 1000))} s that this run may still wait. Resume the ` +
      'evaluation after that, or set the longest wait of the model higher.',
    {
      fatal: true,
      cause: failure,
      ...(failure.response !== null && { response: failure.response }),
    },
  );
}
