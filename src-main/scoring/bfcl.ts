import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { exceedsDepth } from './depth.ts';
import type { AcceptableCall } from './scoreInput.ts';

/** The form in which the leaderboard compares strings: lower case, without spaces and `,./-_*^`. */
export function standardise(text: string): string {
  return text.replace(/[ ,./\-_*^]/g, '').toLowerCase();
}

function objectAccepts(accepted: JsonObject, actual: JsonObject): boolean {
  const known = Object.keys(actual).every(
    (key) => Object.hasOwn(accepted, key) && listAccepts(accepted[key], actual[key] ?? null),
  );
  return (
    known &&
    Object.keys(accepted).every((key) => Object.hasOwn(actual, key) || mayBeLeftOut(accepted[key]))
  );
}

function valueAccepts(accepted: JsonValue, actual: JsonValue): boolean {
  if (typeof accepted === 'string')
    return typeof actual === 'string' && standardise(accepted) === standardise(actual);
  if (Array.isArray(accepted)) {
    if (!Array.isArray(actual) || actual.length !== accepted.length) return false;
    return accepted.every((item, index) => valueAccepts(item, actual[index] ?? null));
  }
  if (isJsonObject(accepted)) return isJsonObject(actual) && objectAccepts(accepted, actual);
  return accepted === actual;
}

function listAccepts(accepted: JsonValue | undefined, actual: JsonValue): boolean {
  return Array.isArray(accepted) && accepted.some((value) => valueAccepts(value, actual));
}

/** `""` in a list of accepted values means that the argument may be left out. */
export function mayBeLeftOut(accepted: JsonValue | undefined): boolean {
  return Array.isArray(accepted) && accepted.includes('');
}

/**
 * Whether an argument equals one of its accepted values (docs/rules.md §3; the AST check of the
 * Berkeley Function-Calling Leaderboard): strings after `standardise`, an integer in place of a
 * number, arrays by order. Inside objects, including those in arrays, each value is again a list.
 */
export function isAcceptable(accepted: JsonValue[], actual: JsonValue): boolean {
  return !exceedsDepth(accepted) && !exceedsDepth(actual) && listAccepts(accepted, actual);
}

/**
 * The entry for one expected call: the one at its position if it names one of the call's tools,
 * otherwise the first that does.
 */
export function acceptableFor(
  list: readonly AcceptableCall[] | undefined,
  expectedIndex: number,
  tools: readonly string[],
): Record<string, JsonValue[]> | null {
  if (!list) return null;
  const there = list[expectedIndex];
  for (const entry of there ? [there, ...list] : list) {
    const name = tools.find((tool) => Object.hasOwn(entry, tool));
    if (name !== undefined) return entry[name] ?? null;
  }
  return null;
}
