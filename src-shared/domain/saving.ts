import { z } from 'zod';
import { reportRequest, shownReportRequest } from './report.ts';

/** A file name without a folder. */
const plainName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u, 'It isn’t a plain file name.');
const maxFiles = 100_000;

/**
 * A request to save. The user chooses the location in a system dialog; a page never names a path.
 */
export const saveRequest = z.strictObject({
  /** The name that the dialog suggests, also used in error messages. */
  fileName: plainName,
  content: z.discriminatedUnion('from', [
    z.strictObject({ from: z.literal('text'), text: z.string() }),
    /** Written into one folder under their own names. */
    z.strictObject({
      from: z.literal('files'),
      files: z
        .array(z.strictObject({ name: plainName, text: z.string() }))
        .min(1)
        .max(maxFiles),
    }),
    z.strictObject({ from: z.literal('evaluation'), report: reportRequest }),
    z.strictObject({ from: z.literal('shown'), report: shownReportRequest }),
  ]),
});
export type SaveRequest = z.infer<typeof saveRequest>;

export const saveProgress = z.discriminatedUnion('state', [
  z.object({ state: z.literal('cancelled') }),
  z.object({ state: z.literal('writing'), bytes: z.number().int() }),
  /** `fileName` is the first of `files`. `token` shows it in its folder until the program ends. */
  z.object({
    state: z.literal('saved'),
    fileName: z.string(),
    folder: z.string(),
    files: z.number().int(),
    bytes: z.number().int(),
    token: z.string(),
  }),
]);
export type SaveProgress = z.infer<typeof saveProgress>;
