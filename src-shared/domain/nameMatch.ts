import { z } from 'zod';

/** Something that was looked for by its name, and where it stands. */
export const nameMatch = z.object({
  kind: z.enum(['case', 'tool', 'workshop tool']),
  id: z.string(),
  /** The suite of a case, the server of a tool. */
  parent: z.string().nullable(),
  label: z.string(),
  detail: z.string(),
});
export type NameMatch = z.infer<typeof nameMatch>;
