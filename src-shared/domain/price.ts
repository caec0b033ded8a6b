import { z } from 'zod';
import { remoteProviders } from './provider.ts';

/** US dollars for a million tokens. */
const dollars = z.number().min(0).max(100_000);
export const price = z.object({
  inputUsd: dollars,
  outputUsd: dollars,
  /** Where it is from: the program's own dated list, or what the user gave. */
  source: z.enum(['list', 'own']),
  /** The day on which it was right, YYYY-MM-DD. */
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
 * Cost of some tokens in US dollars: tokens × price ÷ 1,000,000, input and output added
 * (docs/rules.md §3, Tokens and cost). Reductions for cached input are not known here, so it is at
 * most too high. Null where price or tokens are unknown: unknown is never 0.
 */
export function costOf(
  tokens: { input: number | null; output: number | null },
  known: Pick<Price, 'inputUsd' | 'outputUsd'> | null,
): number | null {
  if (known === null || tokens.input === null || tokens.output === null) return null;
  return (tokens.input * known.inputUsd + tokens.output * known.outputUsd) / 1_000_000;
}
