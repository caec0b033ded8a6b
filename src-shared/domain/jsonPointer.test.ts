import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json.ts';
import {
  appendToPointer,
  arrayIndex,
  formatPointer,
  isJsonPointer,
  parsePointer,
  parsePointerFragment,
  valueAtPath,
  valueAtPointer,
} from './jsonPointer.ts';

/** The document of RFC 6901, section 5. */
const document: JsonValue = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

/** RFC 6901, sections 5 and 6: pointer, its form in an address, path, value. */
const vectors: [string, string, (string | number)[], JsonValue][] = [
  ['', '', [], document],
  ['/foo', '/foo', ['foo'], ['bar', 'baz']],
  ['/foo/0', '/foo/0', ['foo', 0], 'bar'],
  ['/', '/', [''], 0],
  ['/a~1b', '/a~1b', ['a/b'], 1],
  ['/c%d', '/c%25d', ['c%d'], 2],
  ['/e^f', '/e%5Ef', ['e^f'], 3],
  ['/g|h', '/g%7Ch', ['g|h'], 4],
  ['/i\\j', '/i%5Cj', ['i\\j'], 5],
  ['/k"l', '/k%22l', ['k"l'], 6],
  ['/ ', '/%20', [' '], 7],
  ['/m~0n', '/m~0n', ['m~n'], 8],
];

describe('JSON pointer', () => {
  it.each(vectors)('resolves the RFC 6901 example %j', (pointer, fragment, path, value) => {
    expect(valueAtPointer(document, pointer)).toEqual(value);
    expect(valueAtPath(document, path)).toEqual(value);
    expect(parsePointer(pointer)).toEqual(path.map(String));
    expect(parsePointerFragment(fragment)).toEqual(path.map(String));
    expect(formatPointer(path)).toBe(pointer);
    expect(isJsonPointer(pointer)).toBe(true);
  });

  it('unescapes "~01" to "~1" and not to a slash', () => {
    expect(parsePointer('/~01')).toEqual(['~1']);
    expect(appendToPointer('', '~1')).toBe('/~01');
  });

  it('escapes names when it appends them', () => {
    expect(appendToPointer('/list', 3)).toBe('/list/3');
    expect(appendToPointer('/list/3', 'a/b~c')).toBe('/list/3/a~1b~0c');
  });

  it.each(['foo', 'foo/bar', '#/foo', '/~', '/~2', '/a~'])('does not accept %j', (text) => {
    expect(isJsonPointer(text)).toBe(false);
  });

  it.each([
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/1e0',
    '/foo/',
    '/foo/length',
    '/none',
    '/foo/0/length',
    '/toString',
    '/__proto__',
  ])('finds nothing at %j', (pointer) => {
    expect(valueAtPointer(document, pointer)).toBeUndefined();
  });

  it('takes only plain decimals without leading zeros for an index', () => {
    expect(arrayIndex('0', 1)).toBe(0);
    expect(arrayIndex('10', 11)).toBe(10);
    for (const token of ['', '01', '-1', '1.0', '٣', '1', '-'])
      expect(arrayIndex(token, 1)).toBeNull();
  });

  it('returns null for a fragment with a damaged percent-encoding', () => {
    expect(parsePointerFragment('/100%')).toBeNull();
    expect(parsePointerFragment('/%zz')).toBeNull();
  });
});
