import { z } from 'zod';

/** How well the cases of all suites cover the tools of one server, and what became of them. */
export const serverCases = z.object({
  /** The latest ended evaluation that offered tools of the server; null if there is none. */
  evaluation: z.object({ id: z.string(), number: z.number().int() }).nullable(),
  /** Tools that a case or that evaluation expects. The others have no case. */
  tools: z.array(
    z.object({
      name: z.string(),
      /** Cases that expect it, also as one of several alternatives. */
      cases: z.number().int(),
      /** Scored runs of the evaluation that expected it, alone or not, and how many passed. */
      scored: z.number().int(),
      passed: z.number().int(),
    }),
  ),
});
export type ServerCases = z.infer<typeof serverCases>;
