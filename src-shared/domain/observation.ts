import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';

/**
 * One call that a model made. `server` and `tool` are null where it named nothing that was offered
 * (a phantom).
 */
export const actualCall = z.object({
  id: z.string(),
  server: z.string().nullable(),
  tool: z.string().nullable(),
  /** The name exactly as the model wrote it. */
  name: z.string(),
  /** Null where the arguments could not be read as an object; never replaced by {}. */
  arguments: jsonObject.nullable(),
  /** The raw text of the arguments where they could not be read. */
  argumentsText: z.string().nullable(),
});
export type ActualCall = z.infer<typeof actualCall>;

export const stopReasons = ['answered', 'called', 'refused', 'cut_off', 'unknown'] as const;
export const confidenceMethods = ['logprobs', 'agreement', 'self_report', 'margin'] as const;
export type ConfidenceMethod = (typeof confidenceMethods)[number];

export const confidence = z.object({
  score: z.number().min(0).max(1),
  method: z.enum(confidenceMethods),
});
export type Confidence = z.infer<typeof confidence>;

export const tokenUsage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  /**
   * Measured: by the provider, with the answer. Counted: the input by its endpoint, the output
   * estimated. Estimated: both in cl100k_base.
   */
  source: z.enum(['measured', 'counted', 'estimated']),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

/**
 * What is known of a run beside its answer. Every part may be missing: observations of other
 * versions lack some.
 */
export const observationDetails = z.object({
  /** Tools (`server:tool`) that the provider could not be offered. */
  excluded: z.array(z.object({ tool: z.string(), reason: z.string() })).default([]),
  /** Where a schema that was sent says less than the published one. */
  relaxations: z.array(z.string()).default([]),
  /** Requests of the run: more than one where calls were answered and the model went on. */
  turns: z.number().int().min(1).default(1),
  /** Why the last turn was the last, where that was not the model's choice. */
  stopped: z.string().nullable().default(null),
  /** What the model said when it was asked how sure it is. */
  followUp: z.string().nullable().default(null),
  /** What that cost: it is no part of the run's own usage. */
  followUpTokens: tokenUsage
    .extend({ source: tokenUsage.shape.source.default('measured') })
    .nullable()
    .default(null),
  /** Tools that the provider's tool search brought before the model. */
  loaded: z.array(z.string()).default([]),
});
export type ObservationDetails = z.infer<typeof observationDetails>;

/**
 * Everything that scoring may look at, so that a stored observation can be scored again without a
 * model.
 */
export const observation = z.object({
  calls: z.array(actualCall),
  /** What the model said beside its calls. */
  text: z.string().nullable(),
  /** Why it chose so, in its own words, where it gave them. */
  reasoning: z.string().nullable(),
  stopReason: z.enum(stopReasons),
  confidence: confidence.nullable(),
  usage: tokenUsage.nullable(),
  details: jsonValue.optional(),
});
export type Observation = z.infer<typeof observation>;
