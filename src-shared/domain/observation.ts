import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';
import { ownCalls } from './ownTools.ts';
import { refusedSetting } from './refusedSetting.ts';

/**
 * One call that a model made. `server` and `tool` are null if it named no offered tool (a made-up
 * tool, also called phantom).
 */
export const actualCall = z.object({
  id: z.string(),
  server: z.string().nullable(),
  tool: z.string().nullable(),
  /** The name exactly as the model wrote it. */
  name: z.string(),
  /** Null if the arguments could not be read as an object; never replaced with {}. */
  arguments: jsonObject.nullable(),
  /** The raw text of arguments that could not be read. */
  argumentsText: z.string().nullable(),
  /** What was read otherwise than the endpoint wrote it. Absent: nothing. */
  note: z.string().optional(),
});
export type ActualCall = z.infer<typeof actualCall>;

export const stopReasons = [
  'answered',
  'called',
  'refused',
  'filtered',
  'cut_off',
  'unknown',
] as const;
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
   * Measured: by the provider, with the answer. Counted: input by its endpoint, output estimated.
   * Estimated: both in cl100k_base.
   */
  source: z.enum(['measured', 'counted', 'estimated']),
  /**
   * Tokens of `input` that the provider read from its prompt cache, and those that it wrote to it.
   * Absent: none, or not reported.
   */
  cacheRead: z.number().int().nonnegative().optional(),
  cacheWrite: z.number().int().nonnegative().optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

/** What the requests of a run may have cost that is in none of its replies. */
export const unreportedSpend = z.object({
  /** Tokens of replies that could not be used; null: there is none. */
  usage: tokenUsage.nullable(),
  /**
   * Requests that were sent and gave no count of tokens: canceled, timed out, or answered unreadably.
   * Nobody knows whether they were billed.
   */
  unanswered: z.number().int().nonnegative(),
});
export type UnreportedSpend = z.infer<typeof unreportedSpend>;

/**
 * Additional facts about a run. Every member has a default, because observations of older versions
 * lack some.
 */
export const observationDetails = z.object({
  /** Tools (`server:tool`) that the provider does not accept. */
  excluded: z.array(z.object({ tool: z.string(), reason: z.string() })).default([]),
  /** Schemas that were relaxed for the provider. */
  relaxations: z.array(z.string()).default([]),
  /** Number of requests; more than one if calls were answered and the model continued. */
  turns: z.number().int().min(1).default(1),
  /** Why the turns ended, if that was not the model's choice. */
  stopped: z.string().nullable().default(null),
  /** The model's answer to the question how sure it is. */
  followUp: z.string().nullable().default(null),
  /** Tokens of that question, which are not part of the run's usage. */
  followUpTokens: tokenUsage
    .extend({ source: tokenUsage.shape.source.default('measured') })
    .nullable()
    .default(null),
  /** Tools that the provider's tool search loaded. */
  loaded: z.array(z.string()).default([]),
  /** Calls of tools of an agent's own, such as its shell. Only checks of tasks judge them. */
  ownTools: ownCalls.default([]),
  /** Settings that the endpoint refused, so that this answer was asked for without them. */
  refused: z.array(refusedSetting).default([]),
  /** The answer came from a cache; no request was sent. */
  cached: z.boolean().default(false),
});
export type ObservationDetails = z.infer<typeof observationDetails>;

/**
 * Everything that scoring may use, so that a stored observation can be scored again without a
 * model.
 */
export const observation = z.object({
  calls: z.array(actualCall),
  /** Text of the answer besides its calls. */
  text: z.string().nullable(),
  /** The model's reasoning, if it gave any. */
  reasoning: z.string().nullable(),
  stopReason: z.enum(stopReasons),
  confidence: confidence.nullable(),
  usage: tokenUsage.nullable(),
  details: jsonValue.optional(),
});
export type Observation = z.infer<typeof observation>;

/** An answer without calls and without what isn't given here. */
export const answered = (part: Partial<Observation>): Observation => ({
  calls: [],
  text: null,
  reasoning: null,
  stopReason: 'answered',
  confidence: null,
  usage: null,
  ...part,
});
