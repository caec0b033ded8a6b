import { z } from 'zod';
import { appSettings, workspaceInfo } from '../domain/settings.ts';
import { procedure } from './base.ts';

export const settingsContract = {
  get: procedure.output(appSettings),
  update: procedure.input(appSettings.partial()).output(appSettings),
  info: procedure.output(workspaceInfo),
  /** Brings back what a deletion took. Tokens stay good until the next start of the program. */
  undo: procedure.input(z.strictObject({ token: z.string() })).output(z.object({ what: z.string() })),
};
