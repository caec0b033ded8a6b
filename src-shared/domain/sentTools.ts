import { z } from 'zod';

/** What a model is sent of the tools that servers publish, and what is sent in another form. */
export const sentTools = z.object({
  /** Tools that the servers list, with those that nobody can use. */
  published: z.number().int(),
  /** Those that the model can be offered; with top-k, a run is offered some of them. */
  offered: z.number().int(),
  /** The others, each once, with the reason. */
  leftOut: z.array(z.object({ tool: z.string(), reason: z.string() })),
  /** Tools whose input schema is sent in another form, each with what changes. */
  adapted: z.array(z.object({ tool: z.string(), changes: z.array(z.string()).min(1) })),
  /** Tools that are called otherwise than `server__tool`. */
  renamed: z.array(z.object({ tool: z.string(), name: z.string() })),
  /** Tools with keywords that can't be read, at these places: arguments there aren't judged by them. */
  unreadable: z.array(z.object({ tool: z.string(), places: z.array(z.string()).min(1) })),
  /** Where a client presents them: the tools that it hides, and those whose description it cuts. */
  byClient: z
    .object({ name: z.string(), hidden: z.array(z.string()), cut: z.array(z.string()) })
    .optional(),
});
export type SentTools = z.infer<typeof sentTools>;

/** The same of one model of an evaluation. */
export const sentToolsOfModel = sentTools.extend({
  modelSettingsId: z.string(),
  label: z.string(),
});
export type SentToolsOfModel = z.infer<typeof sentToolsOfModel>;
