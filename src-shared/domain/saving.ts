import { z } from 'zod';
import { reportRequest, shownReportRequest } from './report.ts';

/** Where it is to be saved is asked of the user, by the system's own dialog; a page never names a path. */
export const saveRequest = z.strictObject({
  /** What the dialog suggests: a plain name, without a folder. */
  fileName: z.string().min(1).max(255).regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u, 'It is no plain file name.'),
  content: z.discriminatedUnion('from', [
    z.strictObject({ from: z.literal('text'), text: z.string() }),
    z.strictObject({ from: z.literal('evaluation'), report: reportRequest }),
    z.strictObject({ from: z.literal('shown'), report: shownReportRequest }),
  ]),
});
export type SaveRequest = z.infer<typeof saveRequest>;

export const saveProgress = z.discriminatedUnion('state', [
  z.object({ state: z.literal('cancelled') }),
  z.object({ state: z.literal('writing'), bytes: z.number().int() }),
  /** `token` shows the file in its folder, as long as the program runs. */
  z.object({ state: z.literal('saved'), fileName: z.string(), folder: z.string(), bytes: z.number().int(), token: z.string() }),
]);
export type SaveProgress = z.infer<typeof saveProgress>;
