import { ORPCError } from '@orpc/client';
import type { EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type { TaskEvent } from '../../src-shared/domain/taskEvaluation.ts';
import type { Client } from './connect.ts';
import { ConnectionLost } from './connection.ts';

const firstPauseMs = 100;
const maxPauseMs = 3000;

/**
 * Passes on every event after `afterSeq` once and in order, until the stream ends or the signal
 * aborts. After falling behind or losing its connection it continues after the last event. Rejects
 * with any other error, such as an unknown id.
 */
export async function watchEvaluation(
  client: Client,
  evaluation: { unit: EvaluationUnit; id: string },
  afterSeq: number,
  onEvent: (event: EvaluationEvent | TaskEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let seen = afterSeq;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const events = await client.evaluations.watch({ ...evaluation, afterSeq: seen }, { signal });
      for await (const event of events) {
        if (isAborted(signal)) return;
        if (event.seq <= seen) continue;
        seen = event.seq;
        failures = 0;
        onEvent(event);
      }
      return;
    } catch (error) {
      // A reader ends by aborting its signal, whatever error the transport makes of that.
      if (isAborted(signal)) return;
      if (!mayResume(error)) throw error;
      await pause(Math.min(firstPauseMs * 2 ** failures, maxPauseMs), signal);
      failures += 1;
    }
  }
}

/** A function, because the compiler assumes that a signal checked once stays the same. */
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
