/**
 * JSON Pointer (RFC 6901): a place within a JSON value as text, such as `/servers/0/a~1b`. The empty
 * pointer is the whole value.
 */
import { orElse } from './orElse.ts';
import { isJsonObject, type JsonValue } from './json.ts';

/** The names and indexes that lead from a value to one inside it. */
export type JsonPath = readonly (string | number)[];

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');
// In this order: "~01" is an escaped tilde followed by a one.
const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The pointer to a member or an element of what `pointer` leads to. */
export function appendToPointer(pointer: string, step: string | number): string {
  return `${pointer}/${escapeToken(String(step))}`;
}

export function formatPointer(path: JsonPath): string {
  return path.reduce<string>(appendToPointer, '');
}

export function isJsonPointer(text: string): boolean {
  return text === '' || (text.startsWith('/') && !/~(?![01])/u.test(text));
}

/** The unescaped tokens of a pointer. Lenient: a tilde that escapes nothing is kept. */
export function parsePointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

/**
 * The tokens of a pointer from the fragment of an address, where characters may be percent-encoded;
 * null if the encoding is damaged.
 */
export function parsePointerFragment(fragment: string): string[] | null {
  return orElse(
    () =>
      fragment
        .split('/')
        .slice(1)
        .map((token) => unescapeToken(decodeURIComponent(token))),
    null,
  );
}

/** The index that a token is, below `length`; null for every other token, such as `01` or `-`. */
export function arrayIndex(token: string, length: number): number | null {
  return /^(?:0|[1-9]\d*)$/u.test(token) && Number(token) < length ? Number(token) : null;
}

/** What a path leads to; undefined where there is nothing. */
export function valueAtPath(root: JsonValue, path: JsonPath): JsonValue | undefined;
export function valueAtPath(root: unknown, path: JsonPath): unknown;
export function valueAtPath(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const step of path) {
    if (Array.isArray(value))
      value = (value as unknown[])[arrayIndex(String(step), value.length) ?? -1];
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** What a pointer leads to; undefined where there is nothing. */
export function valueAtPointer(root: JsonValue, pointer: string): JsonValue | undefined;
export function valueAtPointer(root: unknown, pointer: string): unknown;
export function valueAtPointer(root: unknown, pointer: string): unknown {
  return valueAtPath(root, parsePointer(pointer));
}

/**
 * The string that the `place` of a finding points to, or the key itself for `#name`; null if there
 * is none.
 */
export function textAt(definition: unknown, place: string): string | null {
  const isName = place.endsWith('#name');
  if (isName) return parsePointer(place.slice(0, -'#name'.length)).at(-1) ?? null;
  const value = valueAtPointer(definition, place);
  return typeof value === 'string' ? value : null;
}
