import type { OfferedTool, ScoreInput } from '../../../scoring/scoreInput.ts';

/**
 * The stages that the scoring worker announces in shared memory: a tool's schema (with its index)
 * or a pattern (with its hash). After a timeout the announced stage is the culprit.
 */
export const stages = { schema: 1, pattern: 2 } as const;

/** Schemas and patterns not to be tried again, with the reason to report instead. */
export interface Refusals {
  schemas: { tool: number; reason: string }[];
  patterns: { hash: number; reason: string }[];
}

/** A run as it is sent to the scoring worker. */
export interface ScoringItem {
  input: Omit<ScoreInput, 'tools'>;
  /** Null when the item uses the list shared by its batch. */
  tools: readonly OfferedTool[] | null;
  refusals: Refusals;
}

/** FNV-1a, 32 bit: identifies a text in four bytes of shared memory. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
