import { z } from 'zod';
import { nameMatch } from '../domain/nameMatch.ts';
import { appSettings, logTail, workspaceInfo } from '../domain/settings.ts';
import { procedure } from './base.ts';

export const settingsContract = {
  get: procedure.output(appSettings),
  update: procedure.input(appSettings.partial()).output(appSettings),
  info: procedure.output(workspaceInfo),
  /** What the program last wrote about itself, secrets taken out. */
  log: procedure
    .input(z.strictObject({ lines: z.number().int().min(1).max(1000) }))
    .output(logTail),
  /** Cases and tools by a part of their name, for the command palette. */
  find: procedure
    .input(z.strictObject({ text: z.string().min(2).max(200) }))
    .output(z.array(nameMatch)),
  /** Brings back what a deletion took. Tokens stay good until the next start of the program. */
  undo: procedure
    .input(z.strictObject({ token: z.string() }))
    .output(z.object({ what: z.string() })),
};
