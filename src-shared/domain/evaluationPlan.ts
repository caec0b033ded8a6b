import { z } from 'zod';
import { price } from './price.ts';
import { sentTools } from './sentTools.ts';

/** A problem to show before a run: an unknown server, an unknown tool, nothing to run. */
const planProblem = z.object({
  severity: z.enum(['error', 'warning']),
  caseKey: z.string().nullable(),
  message: z.string(),
});
export type PlanProblem = z.infer<typeof planProblem>;

/** What one model would be sent, as far as the tools are known before the start. */
export const plannedModel = z.object({
  /** Index in the request's list of models. */
  index: z.number().int(),
  label: z.string(),
  /**
   * What it would be sent of the tools; null if nothing is sent, or if servers were never listed.
   */
  sent: sentTools.nullable(),
  /** The highest number of tools in one request; null if servers were never listed. */
  tools: z.number().int().nullable(),
  /** Input tokens of all runs; null if servers were never listed or nothing is sent. */
  inputTokens: z.number().int().nullable(),
  /** Assumed output tokens of all runs; null if nothing is sent. */
  outputTokens: z.number().int().nullable(),
  /**
   * Whether the input was estimated in cl100k_base or counted by the provider's endpoint on
   * request; null if unknown.
   */
  tokenSource: z.enum(['counted', 'estimated']).nullable(),
  /** True if its API can count tokens. */
  countable: z.boolean(),
  /** Why counting failed, if it was requested. */
  countNote: z.string().nullable(),
  /** The program of an agent on this computer; absent: it is none. */
  program: z
    .object({
      /** Null: it isn't installed. */
      file: z.string().nullable(),
      /** As it says itself; null: it isn't asked, or gave no answer. */
      version: z.string().nullable(),
    })
    .optional(),
  price: price.nullable(),
  /** Null if the price or the tokens are unknown. */
  costUsd: z.number().nullable(),
});
export type PlannedModel = z.infer<typeof plannedModel>;

export const evaluationPlan = z.object({
  cases: z.number().int(),
  runs: z.number().int(),
  servers: z.array(z.string()),
  problems: z.array(planProblem),
  models: z.array(plannedModel),
  /** Null if one of the models has no price or no estimate. */
  costUsd: z.number().nullable(),
  /** Tasks of the suite, which don't run with its cases; absent: none. */
  leftOut: z.int().optional(),
});
export type EvaluationPlan = z.infer<typeof evaluationPlan>;
