import { z } from 'zod';

const rated = z.object({
  score: z.number().int().min(1).max(10),
  explanation: z.string(),
  suggestion: z.string(),
});

/** A model's ratings of a tool's description, 1 to 10 each. */
const toolQuality = z.object({
  toolId: z.string(),
  model: z.string(),
  clarity: rated,
  completeness: rated,
  conciseness: rated,
});
export type ToolQuality = z.infer<typeof toolQuality>;

/** Progress of rating many tools: each tool gets a rating or a reason why it has none. */
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
