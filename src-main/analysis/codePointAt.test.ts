import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePointAt } from './codePointAt.ts';

test.each([
  ['a letter', 'abc', 1, 0x62],
  ['a pair', 'a😀b', 1, 0x1f600],
  ['the last pair of Unicode', '\u{10ffff}', 0, 0x10ffff],
  ['the second half of a pair', '😀', 1, 0xde00],
  ['a first half before a letter', '\ud83db', 0, 0xd83d],
  ['a first half at the end', 'a\ud83d', 1, 0xd83d],
])('reads %s', (_what, text, index, code) => {
  expect(codePointAt(text, index)).toBe(code);
});

test('reads what walking the text reads, wherever it was cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 13 }), fc.nat(), (whole, end) => {
      const text = whole.slice(0, end % (whole.length + 1));
      let index = 0;
      for (const character of text) {
        expect(codePointAt(text, index)).toBe(character.codePointAt(0));
        index += character.length;
      }
    }),
  );
});
