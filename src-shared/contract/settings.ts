import { z } from 'zod';
import { environmentDefaults } from '../domain/environmentDefaults.ts';
import { nameMatch } from '../domain/nameMatch.ts';
import { sampleData } from '../domain/sampleData.ts';
import { appSettings, logTail, workspaceInfo } from '../domain/settings.ts';
import { procedure } from './base.ts';

export const settingsContract = {
  get: procedure.output(appSettings),
  update: procedure.input(appSettings.partial()).output(appSettings),
  /** Defaults of a new evaluation that the environment of the program sets. */
  environment: procedure.output(environmentDefaults),
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
  /** What is left of the data that Touchstone brings along. */
  sample: procedure.output(sampleData),
  /** Adds what is missing of it, and evaluates it in the background. */
  addSample: procedure.output(sampleData),
  /** Deletes all that is left of it. `undo` takes each token, the last one first. */
  removeSample: procedure.output(z.object({ tokens: z.array(z.string()) })),
};
