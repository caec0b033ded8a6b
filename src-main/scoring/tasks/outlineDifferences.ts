import type { Outline } from '../../../src-shared/domain/largeReading.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';

/** So many places are named; the rest is only said to exist. */
const maxPlaces = 5;

/** A range of elements of a long list. */
const rangeName = /^(\d+)-(\d+)$/;

/**
 * The first places at which two values differ, by the hashes of what is in them: as deep as both
 * outlines go, at most five, in the order of names and indexes. Empty if the values are equal.
 */
export function outlineDifferences(expected: Outline, actual: Outline): string[] {
  const places: string[] = [];
  const walk = (before: Outline, after: Outline, path: string, where: string): void => {
    if (before.hash === after.hash || places.length > maxPlaces) return;
    if (before.length !== undefined && after.length !== undefined && before.length !== after.length)
      return void places.push(`${where} (expected ${before.length} elements, got ${after.length})`);
    const [left, right] = [before.inner, after.inner];
    const isOtherKind = (before.length === undefined) !== (after.length === undefined);
    if (isOtherKind || left === undefined || right === undefined) return void places.push(where);
    const found = places.length;
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const one = Object.hasOwn(left, name) ? left[name] : undefined;
      const other = Object.hasOwn(right, name) ? right[name] : undefined;
      const range = before.length === undefined ? null : rangeName.exec(name);
      const inside = range === null ? appendToPointer(path, name) : path;
      const called = range === null ? inside : `${path}/${range[1]} to ${path}/${range[2]}`;
      if (one !== undefined && other !== undefined) walk(one, other, inside, called);
      else if (places.length <= maxPlaces)
        places.push(`${called} (${one === undefined ? 'not expected' : 'missing'})`);
    }
    // Other hashes are a difference, also where nothing inside tells it.
    if (places.length === found) places.push(where);
  };
  walk(expected, actual, '', 'the whole');
  return places.length > maxPlaces ? [...places.slice(0, maxPlaces), '…'] : places;
}
