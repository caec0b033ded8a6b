import { z } from 'zod';
import { remoteProviders } from './provider.ts';

/** US dollars per million tokens. */
const dollars = z.number().min(0).max(100_000);
export const price = z.object({
  inputUsd: dollars,
  outputUsd: dollars,
  /** Input read from the provider's prompt cache, and input written to it; absent: as `inputUsd`. */
  cacheReadUsd: dollars.optional(),
  cacheWriteUsd: dollars.optional(),
  /** The built-in dated list, or the user. */
  source: z.enum(['list', 'own']),
  /** The day when it was valid, YYYY-MM-DD. */
  date: z.string(),
});
export type Price = z.infer<typeof price>;

export const pricedProvider = z.enum(remoteProviders);
export const pricedModel = price.extend({
  provider: pricedProvider,
  model: z.string().min(1).max(100),
});
export type PricedModel = z.infer<typeof pricedModel>;

export const priceInput = z.strictObject({
  provider: pricedProvider,
  model: z.string().trim().min(1).max(100),
  inputUsd: dollars,
  outputUsd: dollars,
  cacheReadUsd: dollars.optional(),
  cacheWriteUsd: dollars.optional(),
});

/** Tokens of one or several answers, of which `cacheRead` and `cacheWrite` are part of `input`. */
export interface PricedTokens {
  input: number | null;
  output: number | null;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}

/**
 * Cost of tokens in US dollars: tokens × price ÷ 1,000,000, input plus output (docs/rules.md §3,
 * Tokens and cost). Input from and to the prompt cache has prices of its own; without them, and
 * where its tokens are not given, it costs what other input costs.
 * Null if the price or the tokens are unknown: unknown is never 0.
 */
export function costOf(
  { input, output, cacheRead = 0, cacheWrite = 0 }: PricedTokens,
  known: Pick<Price, 'inputUsd' | 'outputUsd' | 'cacheReadUsd' | 'cacheWriteUsd'> | null,
): number | null {
  if (known === null || input === null || output === null) return null;
  const { inputUsd, outputUsd, cacheReadUsd = inputUsd, cacheWriteUsd = inputUsd } = known;
  const uncached = Math.max(0, input - cacheRead - cacheWrite);
  return (
    (uncached * inputUsd +
      cacheRead * cacheReadUsd +
      cacheWrite * cacheWriteUsd +
      output * outputUsd) /
    1_000_000
  );
}
