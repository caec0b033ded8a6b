import { z } from 'zod';
import { providers, reasoningEfforts } from './provider.ts';

export const provider = z.enum(providers);

/**
 * Where a run's confidence comes from, beside `agreement`, which needs nothing but three
 * repetitions.
 */
export const confidenceSources = ['none', 'logprobs', 'self_report'] as const;

/**
 * What a user chooses for one model; ranges and defaults are those of docs/rules.md §3. No
 * credential ever stands here.
 */
export const modelConfiguration = z.strictObject({
  provider,
  model: z.string().min(1).max(100),
  timeout: z.number().int().min(1).max(300).default(30),
  temperature: z.number().min(0).max(2).default(0.4),
  maxRetries: z.number().int().min(0).max(10).default(3),
  baseUrl: z.string().max(2000).nullable().default(null),
  /** `replay` only: the file of recorded answers. */
  replayFile: z.string().nullable().default(null),
  /** Null = the provider's own: Responses for OpenAI, Chat Completions for compatible endpoints. */
  api: z.enum(['responses', 'chat']).nullable().default(null),
  /** Null = not sent. */
  reasoningEffort: z.enum(reasoningEfforts).nullable().default(null),
  /** Asks the provider to hold arguments to the schema, which it takes in a narrower form then. */
  strict: z.boolean().default(false),
  /**
   * Tools are found by the provider's own tool search instead of being put before the model at
   * once.
   */
  deferTools: z.boolean().default(false),
  confidence: z.enum(confidenceSources).default('none'),
  /** Tokens that the model takes at once; null = as known of the model, else not checked. */
  contextTokens: z.number().int().min(1_000).max(100_000_000).nullable().default(null),
  requestsPerMinute: z.number().int().min(1).max(1_000_000).nullable().default(null),
});
export type ModelConfiguration = z.infer<typeof modelConfiguration>;

/** A stored, immutable configuration, with what was really sent. */
export const modelSettings = modelConfiguration.extend({
  id: z.string(),
  wireApi: z.string(),
  systemPrompt: z.string().nullable(),
  /** Settings that the model does not take are not sent and stand here as null. */
  sent: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  createdAt: z.string(),
});
export type ModelSettings = z.infer<typeof modelSettings>;
