import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { saveProgress, saveRequest } from '../domain/saving.ts';
import { procedure } from './base.ts';

export const savingContract = {
  /**
   * Asks for a location with the system dialog and writes there, completely or not at all. Leaving
   * the stream cancels it.
   */
  save: procedure.input(saveRequest).output(eventIterator(saveProgress)),
  showInFolder: procedure.input(z.strictObject({ token: z.string() })).output(z.object({})),
};
