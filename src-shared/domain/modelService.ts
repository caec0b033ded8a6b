import { z } from 'zod';
import { modelConfiguration } from './model.ts';

export const endpointInput = z.strictObject({
  provider: modelConfiguration.shape.provider,
  baseUrl: modelConfiguration.shape.baseUrl,
  headers: modelConfiguration.shape.headers,
  query: modelConfiguration.shape.query,
});

export const modelList = z.object({ host: z.string(), models: z.array(z.string()) });

/** A well-known endpoint with an OpenAI-compatible API. */
export const endpointPreset = z.object({
  id: z.string(),
  label: z.string(),
  /** A part in angle brackets, such as `<region>`, is the user's own. */
  baseUrl: z.string(),
  local: z.boolean(),
  /** Where the provider says what its compatible API supports. */
  rules: z.string(),
});
export type EndpointPreset = z.infer<typeof endpointPreset>;

/** An agent that the program knows, and its program on this computer. */
export const installedAgent = z.object({
  name: z.string(),
  /** Its program, as it is looked for. */
  command: z.string(),
  /** Null: it isn't installed. */
  file: z.string().nullable(),
  /** As the program says itself; null: it gave no answer. */
  version: z.string().nullable(),
});
export type InstalledAgent = z.infer<typeof installedAgent>;

export const probeResult = z.object({
  /** Whether the endpoint makes tool calls: some models and servers never do. */
  calls: z.boolean(),
  /** What happened, as text. */
  says: z.string(),
  elapsedMs: z.number().int(),
  /** Settings that were really sent. */
  sent: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type ProbeResult = z.infer<typeof probeResult>;

/** Two configurations of one evaluation that differ only in whether tools are deferred. */
export const deferral = z.object({
  /** Ids of model settings. */
  all: z.string(),
  deferred: z.string(),
  label: z.string(),
  /** Pairs of scored runs of the same case and repetition. */
  pairs: z.number().int(),
  /** Pairs with different selected tools. */
  changed: z.number().int(),
  /** Over pairs in which both have measured tokens; null if there is none. */
  inputTokensAll: z.number().int().nullable(),
  inputTokensDeferred: z.number().int().nullable(),
  tokensSaved: z.number().int().nullable(),
  savingsPercentage: z.number().nullable(),
});
export type Deferral = z.infer<typeof deferral>;
