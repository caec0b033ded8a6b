import { expect, test } from 'vitest';
import { AjvJudge } from '../../../scoring/ajvJudge.ts';
import { findDifference } from '../../../scoring/matchers.ts';
import { spokenText, textOfSpoken } from './spokenText.ts';

const judge = new AjvJudge();

test.each([
  ['1234', 'It is 1,234 euros.', true],
  ['1234', 'It is 1243 euros.', false],
  ['red blue', 'RED, blue', true],
  ['milk', 'Oat MILK.', true],
  ['$5.00 (net)', 'It costs $5.00 (net).', true],
  ['a, b', 'a, b', true],
])('%s is found in %s: %s', (text, message, isFound) => {
  expect(findDifference(spokenText(text), message, judge) === null).toBe(isFound);
});

test.each(['1234', '$5.00 (net)', 'red blue'])('%s is read back from its pattern', (text) => {
  expect(textOfSpoken(spokenText(text))).toBe(text);
});

test.each([[{ $regex: '(?i)milk' }], [{ $contains: 'milk' }], ['milk']])(
  'another expected answer is no such text: %j',
  (expected) => {
    expect(textOfSpoken(expected)).toBeNull();
  },
);
