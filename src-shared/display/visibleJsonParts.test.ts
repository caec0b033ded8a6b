import { expect, test } from 'vitest';
import { stringifyVisible, visibleJsonParts } from './visibleText.ts';

test.each([
  [
    'a long list',
    { a: 1, report: { list: Array.from({ length: 1201 }, (_, at) => ({ at, text: '\u200b’' })) } },
  ],
  ['a list at the top', Array.from({ length: 501 }, (_, at) => at)],
  [
    'members that JSON leaves out',
    { a: undefined, b: () => 1, c: { d: undefined }, e: {}, f: null },
  ],
  ['values that write themselves', { at: new Date(0), deep: { deep: { deep: { deep: [] } } } }],
  ['a text', 'x\u202e'],
])('writes %s in parts as the same text', (_what, value) => {
  expect([...visibleJsonParts(value)].join('')).toBe(stringifyVisible(value));
});
