import { z } from 'zod';

export const providers = ['builtin', 'replay', 'openai', 'anthropic', 'openai-compatible'] as const;
export const provider = z.enum(providers);
export type Provider = z.infer<typeof provider>;

/** The only model of `builtin`: the version of its rules. */
export const builtinModelName = 'default-v1';

/** What a user chooses for one model; ranges and defaults are those of docs/rules.md §3. No credential ever stands here. */
export const modelConfiguration = z.strictObject({
  provider,
  model: z.string().min(1).max(100),
  timeout: z.number().int().min(1).max(300).default(30),
  temperature: z.number().min(0).max(2).default(0.4),
  maxRetries: z.number().int().min(0).max(10).default(3),
  baseUrl: z.string().nullable().default(null),
  /** `replay` only: the file of recorded answers. */
  replayFile: z.string().nullable().default(null),
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

/** How a configuration is named wherever it is shown: a program without a model never passes for one. */
export function modelLabel(settings: { provider: Provider; model: string }): string {
  return settings.provider === 'builtin' ? 'builtin (no model)' : `${settings.provider} · ${settings.model}`;
}
