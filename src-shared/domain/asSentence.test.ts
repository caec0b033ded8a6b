import { describe, expect, it } from 'vitest';

import { asSentence } from './asSentence.ts';

describe('asSentence', () => {
  it.each([
    ['expected string, received undefined', 'expected string, received undefined.'],
    ['Expected "a" or "b"', 'Expected "a" or "b".'],
    ['EACCES: permission denied (open)', 'EACCES: permission denied (open).'],
    ['a line with a break\n', 'a line with a break.'],
  ])('ends %j with a full stop', (text, sentence) => {
    expect(asSentence(text)).toBe(sentence);
  });

  it.each([
    'It is empty.',
    'Is it?',
    'No!',
    'and so on…',
    'It says "No."',
    '(It does.)',
    '它是空的。',
    '',
  ])('leaves %j as it is', (text) => {
    expect(asSentence(text)).toBe(text);
  });
});
