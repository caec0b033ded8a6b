import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src-shared/domain/json.ts';
import { cutDepth, exceedsDepth } from './depth.ts';
import { describe as inWords } from './describe.ts';
import { equalValues, identicalValues, normaliseText } from './normalise.ts';

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe('normaliseText', () => {
  it.each([
    ['  Buy Milk\n', 'buy milk'],
    ['ﬁle', 'FILE'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Ｆｕｌｌ', 'full'],
    ['Cafe\u0301', 'CAFÉ'],
    ['\u00a0x\u3000', 'x'],
  ])('ignores Unicode form, case and surrounding space: %j and %j', (a, b) => {
    expect(normaliseText(a)).toBe(normaliseText(b));
  });

  it('keeps dotless ı and inner spaces', () => {
    expect(normaliseText('ılık')).not.toBe(normaliseText('ilik'));
    expect(normaliseText('a  b')).not.toBe(normaliseText('a b'));
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normaliseText(normaliseText(text))).toBe(normaliseText(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe('equalValues', () => {
  it.each<[JsonValue, JsonValue, boolean]>([
    [1, 1.0, true],
    ['5', 5, false],
    [true, 1, false],
    [null, 0, false],
    [null, {}, false],
    [[], {}, false],
    [[1, 2], [2, 1], false],
    [[1, 2], [1, 2, 3], false],
    [{ a: 1, b: 'X' }, { b: 'x ', a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: [{ b: 'É' }] }, { a: [{ b: 'e\u0301' }] }, true],
    ['0.1', 0.1, false],
  ])('compares %j and %j', (a, b, equal) => {
    expect(equalValues(a, b)).toBe(equal);
    expect(equalValues(b, a)).toBe(equal);
  });

  it('compares without normalization for $exact', () => {
    expect(identicalValues('A', 'a')).toBe(false);
    expect(identicalValues({ a: 'A', b: 1 }, { b: 1, a: 'A' })).toBe(true);
  });

  it('T36: ignores inherited names and treats __proto__ as an ordinary key', () => {
    const proto = JSON.parse('{"__proto__":1}') as JsonValue;
    expect(equalValues(proto, {})).toBe(false);
    expect(equalValues(proto, JSON.parse('{"__proto__":1}') as JsonValue)).toBe(true);
    expect(equalValues({ toString: 1 }, {})).toBe(false);
    expect(equalValues({ constructor: 1 }, { x: 1 })).toBe(false);
  });

  it('does not depend on the order of properties', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const value = JSON.parse(JSON.stringify(object)) as { [key: string]: JsonValue };
        expect(equalValues(value, Object.fromEntries(Object.entries(value).reverse()))).toBe(true);
      }),
    );
  });
});

describe('depth', () => {
  it('T36: handles values nested 6,000 levels deep', () => {
    expect(exceedsDepth(nested(6000))).toBe(true);
    expect(equalValues(nested(6000), nested(6000))).toBe(false);
    expect(() => structuredClone(cutDepth(nested(6000)))).not.toThrow();
  });

  it('allows 256 levels, rejects 257, and still rejects a shortened copy', () => {
    expect(exceedsDepth(nested(256))).toBe(false);
    expect(exceedsDepth(nested(257))).toBe(true);
    expect(exceedsDepth(cutDepth(nested(6000)))).toBe(true);
    const within = nested(256);
    expect(cutDepth(within)).toBe(within);
  });

  it('T36: walks 200,000 nodes without overflowing the stack', () => {
    const wide = Array.from({ length: 200_000 }, () => [1]);
    expect(exceedsDepth(wide)).toBe(false);
    expect(equalValues(wide, wide.slice())).toBe(true);
  });
});

describe('describe', () => {
  it('writes at most 80 characters, with properties in a fixed order', () => {
    expect(inWords({ b: 1, a: ['x', null] })).toBe('{"a":["x",null],"b":1}');
    expect(inWords('y'.repeat(1_000_000)).length).toBeLessThanOrEqual(80);
    expect(inWords(Array.from({ length: 100_000 }, () => 1)).length).toBeLessThanOrEqual(80);
    expect(inWords(nested(6000)).length).toBeLessThanOrEqual(80);
    expect(inWords(undefined)).toBe('nothing');
  });
});
