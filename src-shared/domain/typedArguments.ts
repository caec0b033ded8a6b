import { errorText } from './errorText.ts';
import { type JsonObject, isJsonObject } from './json.ts';

type ArgumentsResult = { ok: true; value: JsonObject } | { ok: false; problem: string };

/** The typed arguments as an object; an empty field is an empty object. */
export function readToolArguments(text: string): ArgumentsResult {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `Invalid JSON: ${errorText(error)}.` };
  }
  return isJsonObject(value)
    ? { ok: true, value }
    : { ok: false, problem: 'Arguments are a JSON object: { "name": value }.' };
}
