import { z } from 'zod';

/** What each model was sent of the tools. Reports of earlier versions lack it. */
export const reportedSentTools = z
  .array(
    z.strictObject({
      model_id: z.string(),
      published: z.int().describe('Tools that the servers list, with those that nobody can use.'),
      offered: z.int().describe('`published` less those that are left out.'),
      left_out: z.array(z.strictObject({ tool_id: z.string(), reason: z.string() })),
      adapted: z
        .array(z.strictObject({ tool_id: z.string(), changes: z.array(z.string()) }))
        .describe('Tools whose input schema was sent in another form.'),
      renamed: z
        .array(z.strictObject({ tool_id: z.string(), name: z.string() }))
        .describe('Tools that were called otherwise than server__tool.'),
      unreadable: z
        .array(z.strictObject({ tool_id: z.string(), places: z.array(z.string()) }))
        .describe('Keywords that can’t be read: arguments aren’t judged by them.'),
    }),
  )
  .optional()
  .describe('What each model was sent of the tools, and what of them was left out or changed.');
