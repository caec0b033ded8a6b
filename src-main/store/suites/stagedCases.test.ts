import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import type { NewTestCase } from './testCases.ts';

let at: TestDatabase;
let suiteId: string;
beforeEach(() => {
  at = createTestDatabase();
  suiteId = at.store.suites.insert({ name: 'S', system: null, messages: [], servers: [] }).id;
});
afterEach(() => at.close());

/** More than are moved or deleted at once. */
const many = 1_200;
const noYield = () => undefined;
const given = (key: string, query = 'q'): NewTestCase => ({
  key,
  query,
  name: key,
  tags: [],
  servers: [],
  stubResults: [],
  expectedCalls: [{ server: 'todo', tool: 'add' }],
  orderDependent: false,
  allowedCalls: [],
});
const numbered = (prefix: string, query = 'q'): NewTestCase[] =>
  Array.from({ length: many }, (_, index) => given(`${prefix}${index}`, query));

async function stage(
  cases: readonly NewTestCase[],
  target: { after?: string; instead?: string } = {},
) {
  const staged = at.store.stagedCases.open(target);
  await staged.add(cases, noYield);
  await staged.written(noYield);
  return staged;
}

async function replaceAll(query: string): Promise<void> {
  using staged = await stage(numbered('c', query), { instead: suiteId });
  staged.replaceIn(suiteId);
}

function settleWhole(): void {
  while (at.store.stagedCases.settle());
}

const rows = (from: string): number | undefined =>
  at.db.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get();
const queriesOf = () => new Set(at.store.testCases.listBySuite(suiteId).map(({ query }) => query));

describe('a suite whose cases were replaced and are not deleted yet', () => {
  test('shows the same cases by all ways, before and after the old ones are deleted', async () => {
    const { testCases, suites, toolRows, finder, serverCases } = at.store;
    testCases.insertMany(suiteId, numbered('c', 'old'));
    const ids = testCases.listBySuite(suiteId).map(({ id }) => id);
    await replaceAll('new');
    expect([rows('test_cases'), rows('suites')]).toEqual([2 * many, 2]);
    const seen = () => ({
      ids: testCases.listBySuite(suiteId).map(({ id }) => id),
      queries: queriesOf(),
      one: testCases.get(ids[7] ?? ''),
      count: suites.get(suiteId)?.caseCount,
      keys: testCases.keys(suiteId).length,
      expecting: toolRows.cases().get('todo:add'),
      found: finder.find('c17', 3),
      ofTool: serverCases.ofTool('todo', 'add').length,
    });
    const between = seen();
    expect(between).toMatchObject({ ids, queries: new Set(['new']), count: many, expecting: many });
    expect(between.one).toMatchObject({ id: ids[7], suiteId, key: 'c7', query: 'new' });
    expect(await testCases.readBySuite(suiteId, noYield)).toEqual(testCases.listBySuite(suiteId));
    settleWhole();
    expect(seen()).toEqual(between);
    expect([rows('test_cases'), rows('suites')]).toEqual([many, 1]);
  });

  test('keeps what is added, changed and deleted meanwhile', async () => {
    const { testCases } = at.store;
    testCases.insertMany(suiteId, numbered('c', 'old'));
    await replaceAll('new');
    const [first, second] = testCases.listBySuite(suiteId);
    testCases.update(first?.id ?? '', given('c0', 'edited'));
    testCases.deleteMany([second?.id ?? '']);
    const [added] = testCases.insertMany(suiteId, [given('own', 'mine')]);
    expect(() => testCases.insertMany(suiteId, [given('c5')])).toThrow(
      /Another case .* has this id/,
    );
    expect(() => testCases.update(added?.id ?? '', given('c5'))).toThrow(/Another case/);
    expect(testCases.freeKey(suiteId, 'c5')).toBe('c5-2');
    const expected = testCases.listBySuite(suiteId);
    settleWhole();
    expect(testCases.listBySuite(suiteId)).toEqual(expected);
    expect(expected).toHaveLength(many);
    expect(expected[0]).toMatchObject({ id: first?.id, query: 'edited' });
    expect(expected.at(-1)).toMatchObject({ key: 'own', query: 'mine' });
  });

  test('can be replaced again, removed, restored and given up', async () => {
    const { testCases, suites, stagedCases } = at.store;
    testCases.insertMany(suiteId, numbered('c', 'old'));
    const ids = testCases.listBySuite(suiteId).map(({ id }) => id);
    await replaceAll('newer');
    await replaceAll('newest');
    const suite = suites.hide(suiteId);
    expect([suites.list(), testCases.listBySuite(suiteId)]).toEqual([[], []]);
    suites.restore(suite);
    expect(testCases.listBySuite(suiteId).map(({ id }) => id)).toEqual(ids);
    settleWhole();
    expect([queriesOf(), rows('test_cases')]).toEqual([new Set(['newest']), many]);
    suites.hide(suiteId);
    settleWhole();
    expect(rows('test_cases')).toBe(many);
    stagedCases.giveUpHidden();
    settleWhole();
    expect([rows('test_cases'), rows('suites')]).toEqual([0, 0]);
    expect(() => suites.restore(suite)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

test('shows nothing of what is staged, and deletes it if it is not taken over', async () => {
  const { suites, toolUse, toolRows } = at.store;
  {
    using _staged = await stage(numbered('c'));
    settleWhole();
    expect([suites.list().length, rows('test_cases')]).toEqual([1, many]);
    expect([toolUse.read().cases, toolRows.cases().size]).toEqual([0, 0]);
  }
  settleWhole();
  expect([rows('test_cases'), rows('suites')]).toEqual([0, 1]);
});

test('adds cases after those of a suite, and refuses a key that was taken since', async () => {
  const { testCases } = at.store;
  testCases.insertMany(suiteId, [given('a'), given('b')]);
  const updatedAt = () => testCases.listBySuite(suiteId).map((each) => each.updatedAt);
  {
    using staged = await stage(numbered('c'), { after: suiteId });
    staged.appendTo(suiteId);
  }
  const before = updatedAt();
  const keys = testCases.listBySuite(suiteId).map(({ key }) => key);
  expect(keys.slice(0, 3)).toEqual(['a', 'b', 'c0']);
  settleWhole();
  expect(updatedAt()).toEqual(before);
  {
    using staged = await stage([given('d')], { after: suiteId });
    testCases.insertMany(suiteId, [given('d')]);
    expect(() => {
      staged.appendTo(suiteId);
    }).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  }
  settleWhole();
  expect([rows('test_cases'), rows('suites')]).toEqual([many + 3, 1]);
});

test('gives a new suite ids of its own where the one to replace was removed meanwhile', async () => {
  const { suites, testCases } = at.store;
  testCases.insertMany(suiteId, [given('a')]);
  const old = testCases.listBySuite(suiteId);
  using staged = await stage([given('a', 'new')], { instead: suiteId });
  const suite = suites.hide(suiteId);
  const made = staged.becomeSuite((holder) =>
    suites.insert({ name: 'other', system: null, messages: [], servers: [] }, holder),
  );
  suites.restore(suite);
  const [own] = testCases.listBySuite(made.id);
  expect(own).toMatchObject({ key: 'a', query: 'new', suiteId: made.id });
  expect(own?.id).not.toBe(old[0]?.id);
  expect(testCases.listBySuite(suiteId)).toEqual(old);
});
