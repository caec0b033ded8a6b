import { expect, it } from 'vitest';
import { plainText } from './verdictTexts.ts';
import { argumentsText, expectedWords, isMatcher } from './matcherWords.ts';

it.each([
  [{ $contains: 'milk' }, 'contains `"milk"`'],
  [{ $any: ['a', { $contains: 'b' }] }, 'any of `"a"`, contains `"b"`'],
  [{ $gte: 1, $lte: 5 }, 'at least `1` and at most `5`'],
  [{ $optional: 'x' }, 'may be absent, otherwise `"x"`'],
  [{ $absent: true }, 'must be absent'],
  [{ $ignore: true }, 'any value'],
  [{ plain: 1 }, '`{"plain":1}`'],
  ['text', '`"text"`'],
])('shows the expected value %j in words', (value, words) => {
  expect(plainText(expectedWords(JSON.stringify(value)), (name) => `\`${name}\``)).toBe(words);
});

it('cuts a long list of choices', () => {
  const json = JSON.stringify({ $any: Array.from({ length: 1500 }, (_, at) => at) });
  expect(plainText(expectedWords(json))).toMatch(/^any of 0, 1, .*, 11, and 1,488 more$/);
});

it('treats an object as a matcher only if all its keys begin with $', () => {
  expect(isMatcher({ $any: [1] })).toBe(true);
  expect(isMatcher({ $gte: 1, plain: 2 })).toBe(false);
  expect(isMatcher({})).toBe(false);
  expect(isMatcher(['$any'])).toBe(false);
});

it('shows the arguments of a call on one line', () => {
  expect(argumentsText({ owner: 'acme', number: 31, title: { $contains: 'cart' } })).toBe(
    'owner acme, number 31, title contains "cart"',
  );
  expect(argumentsText({})).toBe('');
});
