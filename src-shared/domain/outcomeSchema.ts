import { z } from 'zod';
import { failureOutcomes, outcomes } from './outcome.ts';

export const outcome = z.enum(outcomes);
export const failureOutcome = z.enum(failureOutcomes);
export const outcomeCounts = z.record(outcome, z.number().int());
export const failureCause = z.object({
  outcome: failureOutcome,
  expected: z.string(),
  called: z.string(),
});
