import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../../store/store.ts';
import type { Clock } from '../../../runtime/clock.ts';

/**
 * So long one transaction may hold the event loop; what is left goes on after everyone else had a
 * turn.
 */
const maxChunkMs = 40;

/**
 * Writes what would take too long at once, in several transactions: step by step, then `last` in
 * the same transaction as the last step. Until `last` nothing may be visible, or all of it must be
 * harmless: the program may end between two turns. `goOn` throws where it must stop.
 */
export async function commitInChunks<Result>(
  { store, clock }: { store: Store; clock: Clock },
  steps: Iterator<unknown>,
  last: () => Result,
  beforeChunk: () => void = () => undefined,
): Promise<Result> {
  for (;;) {
    await setImmediate();
    beforeChunk();
    const began = clock.monotonic();
    const written = store.transaction(() => {
      while (clock.monotonic() - began < maxChunkMs) {
        if (steps.next().done) return { result: last() };
      }
      return null;
    });
    if (written) return written.result;
  }
}
