import { ORPCError } from '@orpc/client';
import type { EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { Client } from './connect.ts';
import { ConnectionLost } from './connection.ts';

const firstPauseMs = 100;
const maxPauseMs = 3000;

/**
 * Tells every event after `afterSeq` once and in order, until the evaluation has ended or the
 * signal fires. A reader that fell behind or lost its connection goes on after the last event that
 * it saw. Rejects with any other error, a wrong id for one.
 */
export async function watchEvaluation(
  client: Client,
  id: string,
  afterSeq: number,
  onEvent: (event: EvaluationEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let seen = afterSeq;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const event of await client.evaluations.watch(
        { id, afterSeq: seen },
        { signal },
      )) {
        if (isAborted(signal)) return;
        if (event.seq <= seen) continue;
        seen = event.seq;
        failures = 0;
        onEvent(event);
      }
      return;
    } catch (error) {
      // Breaking off is how a reader ends; the signal says so, whatever the transport makes of it.
      if (isAborted(signal)) return;
      if (!mayResume(error)) throw error;
      await pause(Math.min(firstPauseMs * 2 ** failures, maxPauseMs), signal);
      failures += 1;
    }
  }
}

/**
 * A function, since the compiler takes a signal that was checked once for one that stays as it was.
 */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function mayResume(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof ORPCError && error.code === 'LAGGED');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
