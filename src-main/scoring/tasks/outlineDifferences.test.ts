import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { outlineDifferences } from './outlineDifferences.ts';
import { outlineOf } from './outlineOf.ts';

const differences = (one: JsonValue, other: JsonValue): string[] =>
  outlineDifferences(outlineOf(one), outlineOf(other));
const list = (length: number, change: Record<number, JsonValue> = {}) =>
  Array.from({ length }, (_, at) => change[at] ?? { at });

describe('the places at which two outlines differ', () => {
  it.each<[string, JsonValue, JsonValue, string[]]>([
    ['nothing', { a: [1, 2], b: null }, { b: null, a: [1, 2] }, []],
    ['a member', { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, ['/a/1/b']],
    ['a name with a slash', { 'a/b': 1 }, { 'a/b': 2 }, ['/a~1b']],
    ['a member more and one less', { a: 1 }, { b: 1 }, ['/a (missing)', '/b (not expected)']],
    ['a name like one of objects', { constructor: 1 }, {}, ['/constructor (missing)']],
    [
      'a name like that of the prototype',
      JSON.parse('{"__proto__":1}') as JsonValue,
      JSON.parse('{"__proto__":2}') as JsonValue,
      ['/__proto__'],
    ],
    ['a name that looks like a range', { '1-2': 1 }, { '1-2': 2 }, ['/1-2']],
    ['an element more', { a: [1] }, { a: [1, 2] }, ['/a (expected 1 elements, got 2)']],
    ['a value of another type', [1], { 0: 1 }, ['the whole']],
    ['plain values', 'a', 'b', ['the whole']],
    ['an element of a long list', list(2_000), list(2_000, { 7: 'other' }), ['/7']],
    ['members of it', list(1_000), list(1_000, { 3: { at: 1 } }), ['/3/at']],
    [
      'a range of a list that is too long to name its elements',
      { a: list(100_000) },
      { a: list(100_000, { 50_000: 'other' }) },
      ['/a/49980 to /a/50175'],
    ],
    [
      'more places than are named',
      [1, 2, 3, 4, 5, 6],
      [0, 0, 0, 0, 0, 0],
      ['/0', '/1', '/2', '/3', '/4', '…'],
    ],
  ])('are found: %s', (_, one, other, places) => {
    expect(differences(one, other)).toEqual(places);
  });

  it('are where the hashes differ, if what is inside was lost', () => {
    const expected = { hash: 'a', inner: { b: { hash: 'c' } } };
    expect(outlineDifferences(expected, { ...expected, hash: 'b' })).toEqual(['the whole']);
  });

  it('are none exactly where the values are equal, in any order of their members', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
        const [left, right] = [one, other].map(
          (each) => JSON.parse(JSON.stringify(each)) as JsonValue,
        );
        if (left === undefined || right === undefined) throw new Error('two values are drawn');
        expect(differences(left, structuredClone(left))).toEqual([]);
        const isEqual = (() => {
          try {
            expect(left).toEqual(right);
            return true;
          } catch {
            return false;
          }
        })();
        expect(differences(left, right).length === 0).toBe(isEqual);
      }),
    );
  });
});
