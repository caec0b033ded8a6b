import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';

export type ArgumentsResult = { ok: true; value: JsonObject } | { ok: false; problem: string };

/** The typed arguments as an object; an empty field is an empty object. */
export function readToolArguments(text: string): ArgumentsResult {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      problem: `Invalid JSON: ${errorText(error)}.`,
    };
  }
  return isJsonObject(value)
    ? { ok: true, value }
    : { ok: false, problem: 'Arguments are a JSON object: { "name": value }.' };
}

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

/** The text of a content item of type `text`; null for every other kind. */
export function textOfContent(item: unknown): string | null {
  return isJsonObject(item) && item['type'] === 'text' && typeof item['text'] === 'string'
    ? item['text']
    : null;
}
