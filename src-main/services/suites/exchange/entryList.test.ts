import { expect, it } from 'vitest';
import { EntryList, type ListedEntry } from './entryList.ts';

const entry = (index: number): ListedEntry => ({
  entry: {
    id: `c${index}`,
    name: `case ${index}`,
    query: 'q',
    // A number that no double holds.
    expected_calls: [{ server: 's', tool: 't', parameters: { n: 2n ** 70n + BigInt(index) } }],
  },
  sourceId: index % 2 === 0 ? null : `${index}`,
  changes: [index, index + 1],
});
const listOf = (count: number): EntryList => {
  const list = new EntryList();
  for (let index = 0; index < count; index += 1) list.add(entry(index));
  return list;
};

it.each([0, 1, 199, 200, 201, 400, 457])('gives %i entries back as they were', (count) => {
  const list = listOf(count);
  expect(list.count).toBe(count);
  expect([...list]).toEqual(Array.from({ length: count }, (_, index) => entry(index)));
});

it('reads on from any entry, part by part, to the end', () => {
  const list = listOf(457);
  const read: ListedEntry[] = [];
  for (let part = list.from(3); part.length > 0; part = list.from(3 + read.length))
    read.push(...part);
  expect(read.map(({ entry: { id } }) => id)).toEqual(
    Array.from({ length: 454 }, (_, index) => `c${index + 3}`),
  );
  expect(list.from(457)).toEqual([]);
  expect(list.from(5000)).toEqual([]);
});
