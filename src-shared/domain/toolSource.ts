import { z } from 'zod';

/** Where the tools of an evaluation came from: asked of servers when it ran, or from a file. */
export const toolSource = z.enum(['servers', 'snapshot', 'recording', 'what_if']);
export type ToolSource = z.infer<typeof toolSource>;
