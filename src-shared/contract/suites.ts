import { z } from 'zod';
import { fileProblem } from '../domain/suiteFile.ts';
import { caseContent, priorMessage, suite, testCase } from '../domain/testCase.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

const byId = z.strictObject({ id: z.string() });
const suiteInput = z.strictObject({
  name: z.string().trim().min(1, 'A suite needs a name.').max(200),
  system: z.string().nullable().default(null),
  messages: z.array(priorMessage).default([]),
  servers: z.array(z.string()).default([]),
});
const caseInput = caseContent.extend({ key: z.string().min(1).optional() });

export const suiteFileFormat = z.enum(['yaml', 'json']);

/** What an import would do. Nothing is written while `problems` is not empty, nor before it is confirmed. */
export const importPreview = z.object({
  name: z.string().nullable(),
  cases: z.number().int(),
  /** A suite of the same name that would be replaced. */
  replaces: z.object({ id: z.string(), name: z.string(), caseCount: z.number().int() }).nullable(),
  problems: z.array(fileProblem),
  unknownServers: z.array(z.string()),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** A suite file is refused above this size, before it is parsed. */
export const maximumSuiteFileBytes = 64 * 1024 * 1024;
const fileText = z.strictObject({ fileName: z.string().max(1000), text: z.string().max(maximumSuiteFileBytes) });

export const suitesContract = {
  list: procedure.output(z.array(suite)),
  get: procedure.input(byId).output(suite),
  create: procedure.input(suiteInput).output(suite),
  update: procedure.input(suiteInput.extend({ id: z.string() })).output(suite),
  remove: procedure.input(byId).output(undoToken),
  cases: procedure.input(z.strictObject({ suiteId: z.string() })).output(z.array(testCase)),
  createCase: procedure.input(caseInput.extend({ suiteId: z.string() })).output(testCase),
  updateCase: procedure.input(caseInput.extend({ id: z.string() })).output(testCase),
  removeCases: procedure.input(z.strictObject({ ids: z.array(z.string()).min(1) })).output(undoToken),
  previewImport: procedure.input(fileText).output(importPreview),
  import: procedure.input(fileText.extend({ replace: z.boolean() })).output(suite),
  export: procedure
    .input(z.strictObject({ id: z.string(), format: suiteFileFormat }))
    .output(z.object({ fileName: z.string(), text: z.string() })),
};
