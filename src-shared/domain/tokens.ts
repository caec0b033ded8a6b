import { z } from 'zod';

export const encodingNames = ['cl100k_base', 'o200k_base'] as const;
export const encodingName = z.enum(encodingNames);
export type EncodingName = z.infer<typeof encodingName>;

/** Tokens of a tool's text by part; they sum exactly to the whole. */
const tokenParts = z.object({
  name: z.number().int(),
  description: z.number().int(),
  inputSchema: z.number().int(),
  outputSchema: z.number().int(),
  /** Everything else: braces, quotes, keys, title, annotations. */
  structure: z.number().int(),
});
export type TokenParts = z.infer<typeof tokenParts>;

export const toolTokens = z.object({
  toolId: z.string(),
  tokenCount: z.number().int(),
  parts: tokenParts,
  /**
   * Only for a skill, whose count is that of its name and description: tokens of its body, which a
   * model loads when it uses the skill. They are in no sum.
   */
  bodyTokens: z.number().int().optional(),
});

/** Tokens that a shortened list saves compared with the whole list of the same servers. */
export const tokenMetrics = z
  .object({
    baselineTokens: z.number().int().min(0),
    returnedTokens: z.number().int().min(0),
    tokensSaved: z.number().int().min(0),
    savingsPercentage: z.number().min(0).max(100),
  })
  .refine(
    (value) => value.tokensSaved === value.baselineTokens - value.returnedTokens,
    'tokensSaved must be baselineTokens − returnedTokens.',
  )
  .refine(
    (value) =>
      Math.abs(
        value.savingsPercentage -
          (value.baselineTokens === 0 ? 0 : (100 * value.tokensSaved) / value.baselineTokens),
      ) <= 0.01,
    'savingsPercentage must be 100 · tokensSaved / baselineTokens, and 0 where the baseline is 0.',
  );
export type TokenMetrics = z.infer<typeof tokenMetrics>;
