import { expect, it } from 'vitest';
import type { ImportReport } from '../../../../src-shared/contract/suites.ts';
import { EntryList, originsOf, unpackPart, type ListedEntry } from './entryList.ts';

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

const report = (count: number): ImportReport => ({
  ...{ converter: 'jsonl/2', sourceHash: 'h', exact: 0, skipped: [], unreadFields: [] },
  approximated: Array.from({ length: count }, (_, index) => ({
    case: `c${index}`,
    what: `field ${index}`,
    why: 'Not imported.',
  })),
  assumedServer: null,
});

it.each([0, 1, 199, 200, 201, 400, 457])('gives %i entries back, in their order', (count) => {
  const list = listOf(count);
  expect(list.count).toBe(count);
  const packed = { format: 'jsonl' as const, sharesServers: false };
  const opened = list.end().flatMap((part) => unpackPart(part, packed, report(count)));
  expect(opened.map((each) => each.entry)).toEqual(
    Array.from({ length: count }, (_, index) => entry(index).entry),
  );
  expect(opened.map(({ origin }) => origin)).toMatchObject(
    Array.from({ length: count }, (_, index) => ({
      sourceId: entry(index).sourceId,
      approximated: [`field ${index}: Not imported.`],
    })),
  );
  expect(originsOf(opened).size).toBe(count);
});

it('gives entries no origin that were not converted', () => {
  const own = { format: null, sharesServers: false };
  const opened = listOf(3)
    .end()
    .flatMap((part) => unpackPart(part, own, report(0)));
  expect(opened.map(({ origin }) => origin)).toEqual([null, null, null]);
  expect(originsOf(opened).size).toBe(0);
});

it('leaves out servers that the suite names for all', () => {
  const list = new EntryList();
  const { entry: own, ...listed } = entry(0);
  list.add({ entry: { ...own, servers: ['s'] }, ...listed });
  const opened = list
    .end()
    .flatMap((part) => unpackPart(part, { format: 'adk', sharesServers: true }, report(1)));
  expect(opened.map((each) => each.entry.servers)).toEqual([undefined]);
});
