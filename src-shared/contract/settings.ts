import { z } from 'zod';
import { nameMatch } from '../domain/nameMatch.ts';
import { appSettings, logTail, workspaceInfo } from '../domain/settings.ts';
import { procedure } from './base.ts';

export const settingsContract = {
  get: procedure.output(appSettings),
  update: procedure.input(appSettings.partial()).output(appSettings),
  info: procedure.output(workspaceInfo),
  /** The last lines of the program's log, without secrets. */
  log: procedure
    .input(z.strictObject({ lines: z.number().int().min(1).max(1000) }))
    .output(logTail),
  /** Finds cases and tools by part of their name, for the command palette. */
  find: procedure
    .input(z.strictObject({ text: z.string().min(2).max(200) }))
    .output(z.array(nameMatch)),
  /** Undoes a deletion. Tokens are valid until the program is restarted. */
  undo: procedure
    .input(z.strictObject({ token: z.string() }))
    .output(z.object({ what: z.string() })),
};
