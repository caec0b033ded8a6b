import { z } from 'zod';
import { toolPage } from '../domain/toolPage.ts';
import { procedure } from './base.ts';

export const toolsContract = {
  /** Everything that is known of one tool, by the names of its server and of itself. */
  get: procedure
    .input(z.strictObject({ server: z.string().max(1000), tool: z.string().max(1000) }))
    .output(toolPage),
};
