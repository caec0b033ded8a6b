import type { OfferedTool, ScoreInput } from '../../../scoring/scoreInput.ts';

/**
 * What the scoring worker says that it is doing: with a tool's schema (its place in the list) or
 * with a pattern (its hash).
 */
export const stages = { schema: 1, pattern: 2 } as const;

/** What is not to be tried again, with the reason that stands in its place. */
export interface Refusals {
  schemas: { tool: number; reason: string }[];
  patterns: { hash: number; reason: string }[];
}

export interface ScoringItem {
  input: Omit<ScoreInput, 'tools'>;
  /** Null where the list is the one that the whole batch shares. */
  tools: readonly OfferedTool[] | null;
  refusals: Refusals;
}

/** FNV-1a, 32 bit: names a text in four bytes of shared memory. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
