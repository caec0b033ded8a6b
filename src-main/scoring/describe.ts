import type { JsonValue } from '../../src-shared/domain/json.ts';

const LONGEST = 80;

/**
 * Prints with sorted keys, so that the order of properties never shows, and stops once the text is
 * long enough.
 */
function print(value: JsonValue, left: number): string {
  if (left <= 0) return '';
  if (typeof value === 'string')
    return JSON.stringify(value.length > left ? value.slice(0, left) : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const array = Array.isArray(value);
  const keys = array ? [...value.slice(0, left).keys()].map(String) : Object.keys(value).sort();
  let text = array ? '[' : '{';
  for (const [index, key] of keys.entries()) {
    if (text.length > left) break;
    if (index > 0) text += ',';
    if (!array) text += `${JSON.stringify(key)}:`;
    const item = array ? value[index] : value[key];
    text += print(item ?? null, left - text.length);
  }
  return text + (array ? ']' : '}');
}

/**
 * A value as JSON for a sentence: at most 80 characters, cut with an ellipsis, independent of the
 * order of its properties.
 */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = print(value, LONGEST + 1);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/** A list of words in quotation marks for a sentence: “a”, “b” and “c”. */
export function quote(words: readonly string[]): string {
  return enumerate(words.map((word) => `“${word}”`));
}

/** a, b and c. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
