import { expect, it } from 'vitest';
import { ownFirst, sampleServers } from './sampleMarks.ts';

const all = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const storeWith = (text: string | null) =>
  ({ settings: { recall: () => text } }) as unknown as Parameters<typeof ownFirst>[0];
const order = (text: string | null, kind: 'servers' | 'suites') =>
  ownFirst(storeWith(text), kind, all).map(({ id }) => id);

it('puts own servers and suites before those of the sample, and keeps their order', () => {
  const text = JSON.stringify({ servers: ['c', 'a'], suites: ['b'] });
  expect(order(text, 'servers')).toEqual(['b', 'd', 'a', 'c']);
  expect(order(text, 'suites')).toEqual(['a', 'c', 'd', 'b']);
});

it('keeps the order where nothing is marked, or the marks are of an earlier version', () => {
  expect(order(null, 'servers')).toEqual(['a', 'b', 'c', 'd']);
  expect(order('{"servers":["a"]}', 'suites')).toEqual(['a', 'b', 'c', 'd']);
  expect(sampleServers(storeWith('{"servers":["a"]}'))).toEqual(new Set(['a']));
  expect(sampleServers(storeWith('{"servers":1}'))).toEqual(new Set());
});
