import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { formatPointer } from '../../src-shared/domain/jsonPointer.ts';

/**
 * Values nested deeper than this are neither compared nor validated, because recursion must never
 * exhaust the stack.
 */
export const MAX_DEPTH = 256;

function children(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/**
 * True if arrays and objects are nested more than `limit` levels deep (a plain value has depth 0).
 * Walks level by level without recursion: O(nodes) time, and the widest level in memory.
 */
export function exceedsDepth(value: JsonValue, limit: number = MAX_DEPTH): boolean {
  let level = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: (JsonValue & object)[] = [];
    for (const node of level) {
      for (const child of children(node))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/** The keyword and the name under which a schema exceeds the limit, as a JSON pointer; `/` is all of it. */
export function deepPlace(schema: JsonObject): string {
  for (const [keyword, value] of Object.entries(schema)) {
    if (!exceedsDepth(value, MAX_DEPTH - 1)) continue;
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const name = entries.find(([, child]) => exceedsDepth(child, MAX_DEPTH - 2))?.[0];
    return formatPointer(name === undefined ? [keyword] : [keyword, name]);
  }
  return '/';
}

function cut(value: JsonValue, left: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cut(item, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, left - 1)]));
}

/**
 * Number of levels below the limit that a cut keeps: enough that a parameter inside its arguments
 * still exceeds the limit by itself.
 */
const keptMargin = 4;

/**
 * A copy that can be cloned, printed and transferred: everything far below the limit becomes null.
 * What exceeded the limit still does, so scoring treats the copy exactly like the original. A value
 * within the limit is returned unchanged.
 */
export function cutDepth<V extends JsonValue>(value: V, limit: number = MAX_DEPTH): V {
  return exceedsDepth(value, limit) ? (cut(value, limit + keptMargin) as V) : value;
}
