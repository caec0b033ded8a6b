import type { Outline } from '../../../src-shared/domain/largeReading.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';

/** So many places are named; the rest is only said to exist. */
const maxPlaces = 5;

/**
 * The first places at which two values differ, by the hashes of what is in them: as deep as both
 * outlines go, at most five, in the order of names and indexes. Empty if the values are equal.
 */
export function outlineDifferences(expected: Outline, actual: Outline): string[] {
  const places: string[] = [];
  const walk = (before: Outline, after: Outline, path: string): void => {
    if (before.hash === after.hash || places.length > maxPlaces) return;
    const where = path === '' ? 'the whole' : path;
    if (before.length !== undefined && after.length !== undefined && before.length !== after.length)
      return void places.push(`${where} (expected ${before.length} elements, got ${after.length})`);
    const [left, right] = [before.inner, after.inner];
    if (left === undefined || right === undefined) return void places.push(where);
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const one = Object.hasOwn(left, name) ? left[name] : undefined;
      const other = Object.hasOwn(right, name) ? right[name] : undefined;
      const inside = appendToPointer(path, name);
      if (one !== undefined && other !== undefined) walk(one, other, inside);
      else if (places.length <= maxPlaces)
        places.push(`${inside} (${one === undefined ? 'not expected' : 'missing'})`);
    }
  };
  walk(expected, actual, '');
  return places.length > maxPlaces ? [...places.slice(0, maxPlaces), '…'] : places;
}
