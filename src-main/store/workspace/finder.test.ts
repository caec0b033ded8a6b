import { expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/testDatabase.ts';

it('finds cases by a part of their name or query and takes % and _ literally', () => {
  using database = createTestDatabase();
  const { store } = database;
  const suite = store.suites.insert({ name: 's', system: null, messages: [], servers: [] });
  const content = {
    expectedCalls: [],
    orderDependent: false,
    allowedCalls: [],
    stubResults: [],
    tags: [],
    servers: [],
  };
  const [first] = store.testCases.insertMany(suite.id, [
    { ...content, key: 'a', name: '100% done', query: 'tick it off' },
    { ...content, key: 'b', name: 'under_score', query: 'other words' },
  ]);
  expect(store.finder.find('0% d', 10)).toEqual([
    { kind: 'case', id: first!.id, parent: suite.id, label: '100% done', detail: 's' },
  ]);
  expect(store.finder.find('TICK it', 10)).toHaveLength(1);
  expect(store.finder.find('r_s', 10).map(({ label }) => label)).toEqual(['under_score']);
  expect(store.finder.find('%', 10).map(({ label }) => label)).toEqual(['100% done']);
  expect(store.finder.find('\\', 10)).toEqual([]);
  expect(store.finder.find('e', 1)).toHaveLength(1);
});
