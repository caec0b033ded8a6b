import { z } from 'zod';

const rated = z.object({
  score: z.number().int().min(1).max(10),
  explanation: z.string(),
  suggestion: z.string(),
});

/** How a model rates the description of a tool, 1 to 10 each. */
export const toolQuality = z.object({
  toolId: z.string(),
  model: z.string(),
  clarity: rated,
  completeness: rated,
  conciseness: rated,
});
export type ToolQuality = z.infer<typeof toolQuality>;

/**
 * What a rating of many tools tells while it runs: each tool is rated, or has a reason why it is
 * not.
 */
export const ratingEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('listed'),
    total: z.number().int(),
    failed: z.array(z.object({ server: z.string(), reason: z.string() })),
  }),
  z.object({ type: z.literal('rated'), quality: toolQuality }),
  z.object({ type: z.literal('unrated'), toolId: z.string(), reason: z.string() }),
]);
export type RatingEvent = z.infer<typeof ratingEvent>;
