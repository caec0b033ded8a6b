import { z } from 'zod';
import { agentTemplate } from './agentTemplate.ts';
import { refusedSetting } from './refusedSetting.ts';
import { requestAdditions } from './requestAdditions.ts';
import { confidenceSources, providers, reasoningEfforts } from './provider.ts';

export const provider = z.enum(providers);

/**
 * A user's settings for one model; ranges and defaults are in docs/rules.md §3. Never contains a
 * credential.
 */
export const modelConfiguration = z.strictObject({
  provider,
  model: z.string().min(1).max(100),
  timeout: z.number().int().min(1).max(300).default(30),
  /** Null = not sent. */
  temperature: z.number().min(0).max(2).nullable().default(0.4),
  maxRetries: z.number().int().min(0).max(10).default(3),
  baseUrl: z.string().max(2000).nullable().default(null),
  /** For `replay` only: the file of recorded answers. */
  replayFile: z.string().nullable().default(null),
  /** For `command` only: the program and its arguments. */
  command: z.array(z.string().max(10_000)).min(1).max(100).nullable().default(null),
  /** For `agent` only: how an agent is started that the program doesn't know; absent: it does. */
  agent: agentTemplate.optional(),
  /**
   * Null = the provider's default: Responses for OpenAI, Chat Completions for compatible endpoints.
   */
  api: z.enum(['responses', 'chat']).nullable().default(null),
  /** Null = not sent. */
  reasoningEffort: z.enum(reasoningEfforts).nullable().default(null),
  /**
   * Asks the provider to enforce the schema on arguments, which requires a restricted form of the
   * schema.
   */
  strict: z.boolean().default(false),
  /** Tools are found by the provider's tool search instead of being sent all at once. */
  deferTools: z.boolean().default(false),
  confidence: z.enum(confidenceSources).default('none'),
  /** Size of the context window in tokens; null = the known size of the model, or unchecked. */
  contextTokens: z.number().int().min(1_000).max(100_000_000).nullable().default(null),
  requestsPerMinute: z.number().int().min(1).max(1_000_000).nullable().default(null),
  /**
   * For how many seconds a request may wait in all where its endpoint asks for it or fails; null: as
   * long as the run may take, which is the timeout and 60 s.
   */
  maxWait: z.number().int().min(0).max(86_400).nullable().default(null),
  ...requestAdditions,
});
export type ModelConfiguration = z.infer<typeof modelConfiguration>;

/** A stored, immutable configuration with the settings that were really sent. */
export const modelSettings = modelConfiguration.extend({
  id: z.string(),
  wireApi: z.string(),
  systemPrompt: z.string().nullable(),
  /** Settings that the model does not accept are not sent and are null here. */
  sent: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** What the endpoint refused in one evaluation; absent where no evaluation is meant. */
  refused: z.array(refusedSetting).optional(),
  createdAt: z.string(),
});
export type ModelSettings = z.infer<typeof modelSettings>;
