import { expect, it } from 'vitest';
import { remember } from './remember.ts';

it('computes each result once, also one that is undefined', () => {
  const asked: string[] = [];
  const lengthOf = remember((text: string) => {
    asked.push(text);
    return text === '' ? undefined : text.length;
  });
  expect(['a', 'bc', 'a', '', '', 'bc'].map(lengthOf)).toEqual([1, 2, 1, undefined, undefined, 2]);
  expect(asked).toEqual(['a', 'bc', '']);
});

it('computes again what threw', () => {
  let attempts = 0;
  const read = remember((key: string) => {
    attempts += 1;
    if (attempts === 1) throw new Error(`${key} is gone.`);
    return attempts;
  });
  expect(() => read('a')).toThrow('a is gone.');
  expect([read('a'), read('a')]).toEqual([2, 2]);
});

it('tells keys apart by identity, and functions from each other', () => {
  const [one, same] = [{}, {}];
  let made = 0;
  const number = remember((_key: object) => (made += 1));
  expect([number(one), number(same), number(one)]).toEqual([1, 2, 1]);
  expect(remember((_key: object) => (made += 1))(one)).toBe(3);
});
