import { formatCount } from '../../../../src-shared/display/numbers.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { isRemote, needsBaseUrl } from '../../../../src-shared/domain/provider.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';

/**
 * Context sizes of well-known models in tokens, as their makers state them. Other models are
 * checked only where the configuration gives a size.
 */
const knownSizes: readonly [RegExp, number][] = [
  [/^(?:ft:)?gpt-4\.1/, 1_047_576],
  [/^(?:ft:)?gpt-5/, 400_000],
  [/^(?:ft:)?(?:chatgpt-4o|gpt-4o|gpt-4-turbo)/, 128_000],
  [/^o[134]/, 200_000],
  [/^claude-[a-z]+-5/, 1_000_000],
  [/^claude-/, 200_000],
];

export function contextTokensOf({
  provider,
  model,
  contextTokens,
}: Pick<ModelConfiguration, 'provider' | 'model' | 'contextTokens'>): number | null {
  if (contextTokens !== null) return contextTokens;
  // What a foreign endpoint calls a model says nothing about its size.
  return isRemote(provider) && !needsBaseUrl(provider)
    ? (knownSizes.find(([pattern]) => pattern.test(model))?.[1] ?? null)
    : null;
}

/** Tokens reserved for the answer. */
const answerTokens = 4_096;

const counted = new WeakMap<readonly unknown[], number>();

/**
 * Tokens of a tool array, estimated with cl100k_base over its JSON. Each array is counted once.
 */
export function countToolTokens(tools: readonly unknown[]): number {
  const before = counted.get(tools);
  if (before !== undefined) return before;
  const tokens = tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
  counted.set(tools, tokens);
  return tokens;
}

/**
 * Why a request is too large to send, with the count; null where it fits. A token is at least one
 * byte, so most requests need no counting.
 */
export function oversizeReason(
  tools: readonly unknown[],
  texts: readonly string[],
  contextTokens: number | null,
): string | null {
  if (contextTokens === null) return null;
  const available = contextTokens - answerTokens;
  // A UTF-16 unit is at most three bytes, so at most three tokens.
  const atMost = texts.reduce((sum, text) => sum + text.length * 3, 0);
  if (countToolTokens(tools) + atMost <= available) return null;
  const estimate = countToolTokens(tools) + texts.reduce((sum, text) => sum + countTokens(text), 0);
  if (estimate <= available) return null;
  return (
    `About ${formatCount(estimate)} tokens would be sent ` +
    `(${formatCount(countToolTokens(tools))} of them tools), and the model takes ` +
    `${formatCount(contextTokens)}, of which ${formatCount(answerTokens)} are ` +
    'left for its answer.'
  );
}
