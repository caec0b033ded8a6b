import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { NewTestCase } from '../suites/testCases.ts';

let at: TestDatabase;
let serverId: string;
let suiteId: string;
const config = {
  transport: 'streamable-http' as const,
  url: 'http://127.0.0.1:9/mcp',
  headers: {},
};
const renamed = { name: 'renamed', url: config.url, config };
/** More than are renamed within the transaction that renames the server. */
const many = 1_200;
const given = (key: string, server: string): NewTestCase => ({
  ...{ key, name: key, query: `ask todo ${key}`, tags: [], servers: [server] },
  ...{ stubResults: [{ server, tool: 'add', result: `${server} todo` }], orderDependent: false },
  expectedCalls: [
    { server, tool: 'add', parameters: { title: `${server} todo` } },
    {
      anyOf: [
        { server, tool: 'add' },
        { server: 'other', tool: 'add' },
      ],
    },
  ],
  allowedCalls: [{ server, tool: 'list' }],
});
/** Every fifth case names another server. */
const cases = Array.from({ length: many }, (_, index) =>
  given(`c${index}`, index % 5 === 0 ? 'other' : 'todo'),
);

beforeEach(() => {
  at = createTestDatabase();
  const { servers, suites, testCases } = at.store;
  serverId = servers.insert({ ...renamed, name: 'todo' }).id;
  suiteId = suites.insert({ name: 'S', system: null, messages: [], servers: ['todo'] }).id;
  const small = suites.insert({ name: 'T', system: null, messages: [], servers: [] }).id;
  testCases.insertMany(suiteId, cases);
  testCases.insertMany(small, cases.slice(0, 10));
});
afterEach(() => at.close());

const stage = () => at.store.serverRenames.stage('todo', 'renamed', createYielder(0));
const rows = (from: string) =>
  at.db.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get();
const settleWhole = (): void => {
  while (at.store.stagedCases.settle());
};
const stored = () => at.store.suites.list().flatMap(({ id }) => at.store.testCases.listBySuite(id));
/** What differs between two ways is only when they took place. */
const shown = () =>
  [at.store.suites.list(), stored()].map((list) =>
    list.map(({ updatedAt: _at, ...value }) => value),
  );

test('gives the cases of a large suite the new name with the server, as a small one has it at once', async () => {
  const before = stored();
  at.store.servers.update(serverId, renamed);
  const atOnce = shown();
  at.store.servers.update(serverId, { ...renamed, name: 'todo' });
  {
    using staged = await stage();
    expect(stored().filter(({ servers }) => servers.includes('renamed'))).toEqual([]);
    at.store.servers.update(serverId, renamed, staged);
  }
  expect(shown()).toEqual(atOnce);
  expect(rows('test_cases')).toBe(2 * many + 10);
  settleWhole();
  expect(shown()).toEqual(atOnce);
  expect([rows('test_cases'), rows('suites')]).toEqual([many + 10, 2]);
  const unnamed = (list: typeof before) => list.filter(({ servers: [one] }) => one === 'other');
  expect(unnamed(stored())).toEqual(unnamed(before));
});

test('keeps what was changed meanwhile, with the new name', async () => {
  const { testCases, servers } = at.store;
  const [, one, two] = testCases.listBySuite(suiteId);
  {
    using staged = await stage();
    testCases.update(one!.id, { ...given('c1', 'todo'), query: 'changed' });
    testCases.deleteMany([two!.id]);
    servers.update(serverId, renamed, staged);
  }
  settleWhole();
  expect(testCases.get(one!.id)).toMatchObject({ query: 'changed', servers: ['renamed'] });
  expect(testCases.get(two!.id)).toBeNull();
  expect(stored().filter(({ servers: named }) => named.includes('todo'))).toEqual([]);
  expect([rows('test_cases'), rows('suites')]).toEqual([many + 9, 2]);
});

test('leaves nothing of a renaming that does not take place, nor of one to another name', async () => {
  const before = [stored(), at.store.servers.list()];
  {
    using staged = await stage();
    at.store.servers.insert({ ...renamed, url: 'http://127.0.0.1:8/mcp' });
    expect(() => at.store.servers.update(serverId, renamed, staged)).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    );
  }
  settleWhole();
  expect([stored(), at.store.servers.list().filter(({ id }) => id === serverId)]).toEqual(before);
  {
    using staged = await stage();
    at.store.servers.update(serverId, { ...renamed, name: 'third' }, staged);
  }
  settleWhole();
  expect(new Set(stored().flatMap(({ servers }) => servers))).toEqual(new Set(['third', 'other']));
  expect(rows('suites')).toBe(2);
});
