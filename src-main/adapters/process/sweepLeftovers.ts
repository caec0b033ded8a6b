import { errorText } from '../../../src-shared/domain/errorText.ts';
import { waitAtMost } from '../../runtime/deadline.ts';
import type { Log } from '../../runtime/log.ts';
import { endLeftovers, findLeftovers } from './leftovers.ts';

/** Closing the program waits at most this long for a sweep, in ms. */
const maxSweepMs = 3_000;

/**
 * Starts to end the server processes that a killed run left behind; never those of a running one.
 * Runs in the background so that it does not delay the start. Returns a function that waits for its
 * end, but not for long.
 */
export function startSweep(log: Log | undefined): () => Promise<void> {
  const sweep = sweepLeftovers(log);
  return () => waitAtMost(maxSweepMs, sweep);
}

async function sweepLeftovers(log: Log | undefined): Promise<void> {
  try {
    const found = await findLeftovers();
    if (found.length === 0) return;
    const left = await endLeftovers(found);
    log?.info(
      'Processes of servers that a killed run had left behind were ended: ' +
        `${found.length - left.length}.`,
    );
    if (left.length > 0)
      log?.error(
        'Processes of servers that a killed run left behind could not be ended: ' +
          `${left.map(({ pid }) => pid).join(', ')}. End them by hand.`,
      );
  } catch (error) {
    log?.error(
      `Servers that a killed run may have left behind could not be looked for: ${errorText(error)}`,
    );
  }
}
