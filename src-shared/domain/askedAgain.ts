import { z } from 'zod';
import { runDifference } from './callDifference.ts';

/** A further repetition of a case or task that disagreed with a baseline. */
const runAgain = z.object({
  runId: z.string(),
  /** Of the case or task, as its suite names it. */
  caseKey: z.string(),
  modelSettingsId: z.string(),
  repetition: z.number().int(),
  /** Null if it was not scored. */
  passed: z.boolean().nullable(),
  failure: z.string().nullable(),
  /** The tools that were called, or how the task ended. */
  called: z.array(z.string()),
  differences: z.array(runDifference),
});
export type RunAgain = z.infer<typeof runAgain>;

/** What a check asked again. It counts in the comparison with a baseline and in no other number. */
export const askedAgain = z.object({
  /** How many repetitions a case has in the end, the first one included. */
  upTo: z.number().int(),
  /** Of all its answers; null if a price is unknown. */
  costUsd: z.number().nullable(),
  runs: z.array(runAgain),
});
export type AskedAgain = z.infer<typeof askedAgain>;
