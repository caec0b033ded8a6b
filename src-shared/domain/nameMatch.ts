import { z } from 'zod';

/** Something that was found by name, and where it is. */
export const nameMatch = z.object({
  kind: z.enum(['case', 'tool', 'workshop tool']),
  id: z.string(),
  /** The suite of a case, the server of a tool. */
  parent: z.string().nullable(),
  label: z.string(),
  detail: z.string(),
});
export type NameMatch = z.infer<typeof nameMatch>;
