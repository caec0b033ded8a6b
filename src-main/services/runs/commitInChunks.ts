import { maxHoldInTransactionMs, yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';

/**
 * Writes `steps` in several short transactions, with the event loop free in between, and `last` in
 * the same transaction as the last step. The program may end between two chunks, so nothing may be
 * visible before `last`, or everything must be harmless. `beforeChunk` throws to stop.
 */
export async function commitInChunks<Result>(
  { store, clock }: { store: Store; clock: Clock },
  steps: Iterator<unknown>,
  last: () => Result,
  beforeChunk: () => void = () => undefined,
): Promise<Result> {
  for (;;) {
    await yieldToEventLoop();
    beforeChunk();
    const startedAt = clock.monotonic();
    const written = store.transaction(() => {
      while (clock.monotonic() - startedAt < maxHoldInTransactionMs) {
        if (steps.next().done) return { result: last() };
      }
      return null;
    });
    if (written) return written.result;
  }
}
