import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one piece of a long work may keep everything else waiting. */
const TURN_MS = 20;

/**
 * Gives the event loop a turn where one is due. Made once for a work, awaited between its pieces.
 */
export function createTurns(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < TURN_MS) return undefined;
    return nextTurn().then(() => {
      last = performance.now();
    });
  };
}
