import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';
import { priorMessage, toolReference } from './testCase.ts';

const names = z.array(z.string().min(1));

const fileCall = z.union([
  toolReference.extend({ parameters: jsonObject.optional() }),
  z.strictObject({ any_of: z.array(toolReference).min(1), parameters: jsonObject.optional() }),
]);

export const suiteFileCase = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  query: z.string().min(1),
  tags: names.optional(),
  servers: names.optional(),
  expected_calls: z.array(fileCall),
  order_dependent: z.boolean().optional(),
  allowed_calls: z.array(toolReference).optional(),
  stub_results: z.array(z.strictObject({ server: z.string(), tool: z.string(), result: jsonValue })).optional(),
});
export type SuiteFileCase = z.infer<typeof suiteFileCase>;

/** A suite as a file: what `datasets/suite.schema.json` publishes. */
export const suiteFile = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  servers: names,
  system: z.string().optional(),
  messages: z.array(priorMessage).optional(),
  cases: z.array(suiteFileCase),
});
export type SuiteFile = z.infer<typeof suiteFile>;

/** Where in a file something is wrong, and what to do about it. */
export const fileProblem = z.object({
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  /** JSON pointer into the document. */
  path: z.string(),
  message: z.string(),
});
export type FileProblem = z.infer<typeof fileProblem>;
