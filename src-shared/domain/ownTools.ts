import { z } from 'zod';

/** A call of a tool of an agent's own, such as its shell. */
const ownCall = z.strictObject({
  /** As the agent names it, else its kind. */
  name: z.string(),
  /** The kind of the Agent Client Protocol, such as `execute`; absent: not reported. */
  kind: z.string().optional(),
});
export type OwnCall = z.infer<typeof ownCall>;

/**
 * What an agent reported of its own tools, in order; null: nothing, because it reports none of them,
 * or hadn't yet.
 */
export const ownCalls = z.array(ownCall).nullable();

/** Names or kinds of an agent's own tools that a check forbids. */
export const forbiddenOwn = z.array(z.string().trim().min(1).max(200)).min(1).max(100);

/** Whether a check that forbids a name or a kind means this call. */
export const isOwnCallOf = ({ name, kind }: OwnCall, forbidden: string): boolean =>
  name === forbidden || kind === forbidden;
