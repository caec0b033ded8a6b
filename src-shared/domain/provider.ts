export const providers = ['builtin', 'replay', 'openai', 'anthropic', 'openai-compatible'] as const;
export type Provider = (typeof providers)[number];

/** The only model of `builtin`: the version of its rules. */
export const builtinModelName = 'default-v1';

/**
 * How a configuration is named wherever it is shown: a program without a model never passes for
 * one.
 */
export function modelLabel(settings: { provider: Provider; model: string }): string {
  return settings.provider === 'builtin'
    ? 'builtin (no model)'
    : `${settings.provider} · ${settings.model}`;
}
