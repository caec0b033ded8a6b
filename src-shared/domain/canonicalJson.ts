import { isJsonObject, type JsonValue } from './json.ts';

/**
 * JSON without white space and with the keys of every object in code-unit order: equal values give
 * equal text. Recursive: the depth must already be limited.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`;
}
