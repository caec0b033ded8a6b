import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import type { Outline } from '../../../../src-shared/domain/largeReading.ts';
import { sha256 } from '../../../runtime/sha256.ts';

/** How many values an outline has at most, and how many characters their names take. */
const maxNodes = 2_000;
const maxNameCharacters = 100_000;
/** A longer list is hashed in this many ranges of elements. */
const maxElements = 512;

/** What is directly in a value, by name, index or range of indexes; null where nothing can be. */
function innerOf(value: JsonValue): [name: string, JsonValue][] | null {
  if (isJsonObject(value))
    return Object.keys(value)
      .sort()
      .map((name) => [name, value[name] ?? null]);
  if (!Array.isArray(value)) return null;
  if (value.length <= maxElements) return value.map((item, at) => [String(at), item as JsonValue]);
  const size = Math.ceil(value.length / maxElements);
  return Array.from({ length: Math.ceil(value.length / size) }, (_, at) => {
    const range: JsonValue[] = value.slice(at * size, (at + 1) * size);
    return [`${at * size}-${at * size + range.length - 1}`, range];
  });
}

/**
 * Hashes of a value and of what is in it, level by level, until 2,000 values are named. Two outlines
 * tell where two values differ without either value. The value must not be nested deeper than texts
 * can be written.
 */
export function outlineOf(value: JsonValue): Outline {
  const node = (inside: JsonValue): Outline => ({
    hash: sha256(canonicalJson(inside)).slice(0, 32),
    ...(Array.isArray(inside) && { length: inside.length }),
  });
  const root = node(value);
  let [nodes, characters] = [1, 0];
  const queue: { outline: Outline; value: JsonValue }[] = [{ outline: root, value }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const inner = innerOf(next.value);
    if (inner === null) continue;
    const names = inner.reduce((sum, [name]) => sum + name.length, 0);
    // What is left of the room is for what comes after it: a long list must not hide its neighbors.
    if (nodes + inner.length > maxNodes || characters + names > maxNameCharacters) continue;
    nodes += inner.length;
    characters += names;
    const outlines = inner.map(([name, inside]) => [name, node(inside)] as const);
    next.outline.inner = Object.fromEntries(outlines);
    for (const [at, [, outline]] of outlines.entries())
      queue.push({ outline, value: inner[at]?.[1] ?? null });
  }
  return root;
}
