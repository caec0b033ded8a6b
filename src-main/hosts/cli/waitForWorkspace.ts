import { setTimeout as delay } from 'node:timers/promises';
import { counted } from '../../../src-shared/display/numbers.ts';
import { WorkspaceInUse } from '../../services/settings/workspaceInUse.ts';
import { wholeNumber } from './input/optionValues.ts';

export const defaultWaitSeconds = 10;
/** A day: more is a mistake. */
const waitRange = { minValue: 0, maxValue: 86_400 };
/** Short against the start of a command, long against a look at the lock. */
const pauseMs = 100;

/**
 * Opens a workspace. While another process holds it, it is tried again for `--wait` seconds, and a
 * line says once that it waits. Throws the last refusal.
 */
export async function openWhenFree<Opened>(
  wait: string | undefined,
  note: (text: string) => void,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const seconds = wholeNumber(wait, '--wait', waitRange) ?? defaultWaitSeconds;
  const start = performance.now();
  let isNoted = false;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isOver = performance.now() - start >= seconds * 1000;
      if (!(error instanceof WorkspaceInUse) || isOver) throw error;
      if (!isNoted)
        note(
          `${error.data.thing}: ${error.data.cause} Waiting up to ${counted(seconds, 'second')} ` +
            '(--wait).',
        );
      isNoted = true;
      await delay(pauseMs);
    }
  }
}
