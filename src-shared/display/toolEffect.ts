import type { JsonObject } from '../domain/json.ts';

export type Effect = 'reads' | 'destroys' | 'changes' | 'unknown';

/** What a call may do according to the server. That is a hint, not a promise. */
export function effectOf(annotations: JsonObject | null): Effect {
  if (annotations?.['readOnlyHint'] === true) return 'reads';
  if (annotations?.['destructiveHint'] === true) return 'destroys';
  if (annotations?.['destructiveHint'] === false) return 'changes';
  return 'unknown';
}

export const effectWords: Record<Effect, string> = {
  reads: 'Read-only, according to the server.',
  destroys: 'May destroy or overwrite data, according to the server.',
  changes: 'Changes data without destroying any, according to the server.',
  unknown: "The server doesn't say whether a call changes anything.",
};
