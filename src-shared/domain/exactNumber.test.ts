import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareNumbers,
  isMultipleOf,
  isNumber,
  isWhole,
  nearestDouble,
  numberText,
  parseJson,
  readNumber,
} from './exactNumber.ts';

/** A number's text in every form that JSON allows. */
const texts = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][-+]?[0-9]{1,2}$/)),
  )
  .map((parts) => parts.join(''));

/** The oracle: the number as a whole count of 10^-200, written without the code under test. */
function scaled(text: string): bigint {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = 200 - fraction.length + Number(power);
  return (
    BigInt(whole.replace('-', '') + fraction + '0'.repeat(shift)) *
    (text.startsWith('-') ? -1n : 1n)
  );
}

const read = (text: string) => readNumber(text);

describe('readNumber', () => {
  it('keeps plain numbers where they are exact and every digit elsewhere', () => {
    for (const text of ['0', '-1', '1.0', '1e0', '19.99', '0.1', '1e21', '0.30000000000000004'])
      expect([text, read(text)]).toEqual([text, Number(text)]);
    for (const text of [
      '123456789012345678',
      '9007199254740993',
      '-0.1234567890123456789',
      '1e400',
      '1e-400',
      '12345678901234567890.5',
    ]) {
      expect(typeof read(text)).toBe('bigint');
      expect(read(text)).not.toBe(Number(text));
      expect(numberText(read(text))).toBe(text);
    }
  });

  it('is NaN for other texts, and for numbers that only an attack contains', () => {
    const wrong = [
      '',
      '-',
      '1e',
      'NaN',
      '0x1F00000000000000',
      '.e1',
      '9'.repeat(1_001),
      '1e9999999999',
    ];
    expect(wrong.map(read)).toEqual(wrong.map(() => NaN));
    expect(numberText(read(`${'9'.repeat(1_000)}${'0'.repeat(5_000)}`))).toMatch(/^9\.9+e5999$/);
  });

  it('gives equal values exactly for equal numbers, whatever their form', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(Object.is(read(a), read(b)) || read(a) === read(b)).toBe(scaled(a) === scaled(b));
      }),
    );
    expect(read('1.50e1')).toBe(read('15'));
    expect(read('123456789012345678.0')).toBe(read('1.23456789012345678e17'));
  });
});

describe('arithmetic on exact numbers', () => {
  it('orders, divides and classifies as whole-number arithmetic does', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(Math.sign(compareNumbers(read(a), read(b)))).toBe(x < y ? -1 : x > y ? 1 : 0);
        if (y !== 0n) expect(isMultipleOf(read(a), read(b))).toBe(x % y === 0n);
        expect(isWhole(read(a))).toBe(x % 10n ** 200n === 0n);
        expect(nearestDouble(read(a))).toBe(Number(a));
      }),
      { numRuns: 500 },
    );
  });

  it('finds multiples in decimal, and none of 0', () => {
    expect(isMultipleOf(19.99, 0.01)).toBe(true);
    expect(isMultipleOf(0.3, 0.1)).toBe(true);
    expect(isMultipleOf(19.995, 0.01)).toBe(false);
    expect(isMultipleOf(read('1e999999'), 7)).toBe(false);
    expect(isMultipleOf(read('7e999999999'), 7)).toBe(true);
    expect(isMultipleOf(1, 0)).toBe(false);
  });
});

describe('parseJson', () => {
  it('reads and writes JSON of any numbers without losing one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), texts)), fc.nat(2), (members, indent) => {
        const text = `{"list":[${members.map(([, number]) => number).join(', ')}],"in":{${members
          .map(([, number], index) => `"k${index}": {"v":${number}}`)
          .join(',')}}}`;
        const value = parseJson(text) as { list: unknown[]; in: Record<string, { v: unknown }> };
        const again = parseJson(JSON.stringify(value, null, indent));
        expect(again).toEqual(parseJson(JSON.stringify(structuredClone(value))));
        for (const [index, [, number]] of members.entries()) {
          for (const found of [value.list[index], value.in[`k${index}`]?.v]) {
            expect(isNumber(found) && scaled(JSON.stringify(found)) === scaled(number)).toBe(true);
          }
        }
      }),
    );
  });

  it('leaves texts and shapes as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(parseJson('{"a":"123456789012345678","b":"[1e999]"}')).toEqual({
      a: '123456789012345678',
      b: '[1e999]',
    });
    expect(() => parseJson('{"a":1e5')).toThrow(SyntaxError);
  });
});
