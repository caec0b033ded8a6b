import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { Log } from '../../../runtime/log.ts';

/**
 * Tells listeners that an evaluation has ended. One that throws must not keep the others, or the end
 * itself, from being seen: what it could not keep is made up for at the next start.
 */
export function tellEnd(
  listeners: Iterable<(id: string) => void>,
  id: string,
  log: Log | null | undefined,
): void {
  for (const listener of listeners)
    try {
      listener(id);
    } catch (error) {
      log?.error(`What follows from the end of evaluation ${id} failed: ${errorText(error)}`);
    }
}
