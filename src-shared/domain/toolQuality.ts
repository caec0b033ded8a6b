import { z } from 'zod';

const rated = z.object({ score: z.number().int().min(1).max(10), explanation: z.string(), suggestion: z.string() });

/** How a model rates the description of a tool, 1 to 10 each. */
export const toolQuality = z.object({ toolId: z.string(), model: z.string(), clarity: rated, completeness: rated, conciseness: rated });
export type ToolQuality = z.infer<typeof toolQuality>;
