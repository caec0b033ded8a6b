import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { Outline } from '../../../src-shared/domain/largeReading.ts';
import { sha256 } from '../../runtime/sha256.ts';

/** How many values an outline has at most, and how many characters their names take. */
const maxNodes = 2_000;
const maxNameCharacters = 100_000;
/** A longer list is hashed in this many ranges of elements. */
const maxElements = 512;

interface Place {
  value: JsonValue;
  /** Where a range of a longer list begins in it. */
  from: number;
}

/** What is directly in a value, by name, index or range of indexes; null where nothing can be. */
function innerOf({ value, from }: Place): [name: string, Place][] | null {
  if (isJsonObject(value))
    return Object.keys(value)
      .sort()
      .map((name) => [name, { value: value[name] ?? null, from: 0 }]);
  if (!Array.isArray(value)) return null;
  if (value.length <= maxElements)
    return value.map((item: JsonValue, at) => [String(from + at), { value: item, from: 0 }]);
  const size = Math.ceil(value.length / maxElements);
  return Array.from({ length: Math.ceil(value.length / size) }, (_, at) => {
    const range: JsonValue[] = value.slice(at * size, (at + 1) * size);
    const first = from + at * size;
    return [`${first}-${first + range.length - 1}`, { value: range, from: first }];
  });
}

const nodeOf = ({ value }: Place): Outline => ({
  hash: sha256(canonicalJson(value)).slice(0, 32),
  ...(Array.isArray(value) && { length: value.length }),
});

/**
 * Hashes of a value and of what is in it, level by level, until 2,000 values are named. Two outlines
 * tell where two values differ without either value. The value must not be nested deeper than texts
 * can be written.
 */
export function outlineOf(value: JsonValue): Outline {
  const whole = { value, from: 0 };
  const root = nodeOf(whole);
  let [nodes, characters] = [1, 0];
  const queue: [Outline, Place][] = [[root, whole]];
  for (const [outline, place] of queue) {
    const inner = innerOf(place);
    if (inner === null) continue;
    const names = inner.reduce((sum, [name]) => sum + name.length, 0);
    // What is left of the room is for what comes after it: a long list must not hide its neighbors.
    if (nodes + inner.length > maxNodes || characters + names > maxNameCharacters) continue;
    nodes += inner.length;
    characters += names;
    const nodesInside = inner.map(([name, inside]) => {
      const node = nodeOf(inside);
      queue.push([node, inside]);
      return [name, node] as const;
    });
    // Not assigned one by one: a member may be called like the prototype.
    outline.inner = Object.fromEntries(nodesInside);
  }
  return root;
}
