import { z } from 'zod';
import { remoteProviders } from './provider.ts';

/** US dollars per million tokens. */
const dollars = z.number().min(0).max(100_000);
export const price = z.object({
  inputUsd: dollars,
  outputUsd: dollars,
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
});

/**
 * Cost of tokens in US dollars: tokens × price ÷ 1,000,000, input plus output (docs/rules.md §3,
 * Tokens and cost). Discounts for cached input are unknown here, so the cost is an upper bound.
 * Null if the price or the tokens are unknown: unknown is never 0.
 */
export function costOf(
  tokens: { input: number | null; output: number | null },
  known: Pick<Price, 'inputUsd' | 'outputUsd'> | null,
): number | null {
  if (known === null || tokens.input === null || tokens.output === null) return null;
  return (tokens.input * known.inputUsd + tokens.output * known.outputUsd) / 1_000_000;
}
