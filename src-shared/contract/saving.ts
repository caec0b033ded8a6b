import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { saveProgress, saveRequest } from '../domain/saving.ts';
import { procedure } from './base.ts';

export const savingContract = {
  /**
   * Asks for a place by the system's dialog and writes there, whole or not at all. To leave the
   * stream is to cancel.
   */
  save: procedure.input(saveRequest).output(eventIterator(saveProgress)),
  showInFolder: procedure.input(z.strictObject({ token: z.string() })).output(z.object({})),
};
