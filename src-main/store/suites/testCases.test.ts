import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import type { NewTestCase } from './testCases.ts';

let at: TestDatabase;
let suiteId: string;
beforeEach(() => {
  at = createTestDatabase();
  suiteId = at.store.suites.insert({
    name: 'S',
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hi' }],
    servers: ['todo'],
  }).id;
});
afterEach(() => at.close());

const full: NewTestCase = {
  key: 'k-1',
  name: 'add a task',
  query: 'Remind me of the milk ✓',
  tags: ['create', 'smoke'],
  servers: ['todo'],
  stubResults: [{ server: 'todo', tool: 'list', result: [1, { deep: null }] }],
  expectedCalls: [
    { server: 'todo', tool: 'add', parameters: { title: { $contains: 'milk' }, due: null } },
  ],
  orderDependent: true,
  allowedCalls: [{ server: 'todo', tool: 'list' }],
};
const named = (key: string): NewTestCase => ({ ...full, key, name: `case ${key}` });
const expectedColumns = () =>
  at.db
    .prepare(
      'SELECT expected_mcp_server_name AS server, expected_tool_name AS tool, expected_parameters AS parameters FROM test_cases ORDER BY position',
    )
    .all();

test('reads a case back as written and drops unknown properties', () => {
  const { testCases } = at.store;
  const extra: NewTestCase & { checked: boolean } = { ...full, checked: true };
  const [made] = testCases.insertMany(suiteId, [extra]);
  expect(made).toEqual({
    ...full,
    origin: null,
    id: expect.any(String),
    suiteId,
    position: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(testCases.listBySuite(suiteId)).toEqual([made]);
  expect(testCases.get(made?.id ?? '')).toEqual(made);
  expect(testCases.get('nothing')).toBeNull();
});

test('fills the expected columns from the first call or its first alternative', () => {
  const { testCases } = at.store;
  const [made] = testCases.insertMany(suiteId, [
    { ...full, key: '1' },
    { ...full, key: '2', expectedCalls: [] },
    {
      ...full,
      key: '3',
      expectedCalls: [
        {
          anyOf: [
            { server: 'a', tool: 'b' },
            { server: 'c', tool: 'd' },
          ],
        },
        { server: 'e', tool: 'f' },
      ],
    },
  ]);
  expect(expectedColumns()).toEqual([
    { server: 'todo', tool: 'add', parameters: '{"title":{"$contains":"milk"},"due":null}' },
    { server: null, tool: null, parameters: null },
    { server: 'a', tool: 'b', parameters: null },
  ]);
  testCases.update(made?.id ?? '', { ...full, key: '1', expectedCalls: [] });
  expect(expectedColumns()[0]).toEqual({ server: null, tool: null, parameters: null });
});

test('inserts no case of a batch with a bad one and names the bad one', () => {
  const { testCases } = at.store;
  expect(() => testCases.insertMany(suiteId, [named('a'), named('b'), named('a')])).toThrow(
    /The case a: Another case of the suite has this id/,
  );
  expect(testCases.listBySuite(suiteId)).toEqual([]);
  expect(() => testCases.insertMany('no-suite', [full])).toThrow(
    expect.objectContaining({ code: 'CONFLICT' }),
  );
  expect(() => testCases.insertMany(suiteId, [{ ...full, query: '' }])).toThrow(
    expect.objectContaining({ code: 'INVALID' }),
  );
  expect(at.store.suites.get(suiteId)?.caseCount).toBe(0);
});

test('updates a case in its place and refuses one that is gone', () => {
  const { testCases } = at.store;
  const [first, second] = testCases.insertMany(suiteId, [named('a'), named('b')]);
  if (!first || !second) throw new Error('Two cases were to be made.');
  const changed = testCases.update(second.id, { ...named('b'), query: 'else' });
  expect(changed).toEqual({
    ...second,
    query: 'else',
    updatedAt: expect.not.stringMatching(second.updatedAt),
  });
  expect(testCases.listBySuite(suiteId)).toEqual([first, changed]);
  expect(() => testCases.update(second.id, named('a'))).toThrow(
    expect.objectContaining({ code: 'CONFLICT' }),
  );
  expect(() => testCases.update('gone', full)).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  );
});

test('keeps the id and origin of a case whose key is imported again', async () => {
  const { testCases, stagedCases } = at.store;
  const origin = {
    kind: 'proposal',
    madeBy: 'template',
    basis: 'add_task',
    edited: false,
  } as const;
  const [a] = testCases.insertMany(suiteId, [{ ...named('a'), origin }, named('b')]);
  const replace = async (...cases: ReturnType<typeof named>[]) => {
    using staged = stagedCases.open({ instead: suiteId });
    await staged.add(cases, () => undefined);
    await staged.written(() => undefined);
    staged.replaceIn(suiteId);
  };
  await replace(named('c'), { ...named('a'), query: 'new' });
  const cases = testCases.listBySuite(suiteId);
  expect(cases.map(({ key, position }) => [key, position])).toEqual([
    ['c', 0],
    ['a', 1],
  ]);
  expect(cases[1]).toMatchObject({ id: a?.id, createdAt: a?.createdAt, query: 'new', origin });
  expect(cases[1]?.updatedAt).not.toBe(a?.updatedAt);
  await expect(replace(named('x'), named('x'))).rejects.toThrow(
    expect.objectContaining({ code: 'CONFLICT' }),
  );
  expect(testCases.listBySuite(suiteId)).toEqual(cases);
});

test('offers the next free key', () => {
  const { testCases } = at.store;
  testCases.insertMany(suiteId, [named('a'), named('a-2')]);
  expect([testCases.freeKey(suiteId, 'b'), testCases.freeKey(suiteId, 'a')]).toEqual(['b', 'a-3']);
});

test('restores deleted cases and suites unchanged, unless their key was taken', () => {
  const { testCases, suites, trash } = at.store;
  const made = testCases.insertMany(suiteId, [named('a'), named('b'), named('c')]);
  const removed = testCases.deleteMany([made[0]?.id ?? '', 'unknown', made[2]?.id ?? '']);
  expect(removed.map(({ key }) => key)).toEqual(['a', 'c']);
  testCases.restore(removed);
  expect(testCases.listBySuite(suiteId)).toEqual(made);
  expect(() => testCases.restore(removed)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));

  const again = testCases.deleteMany([made[0]?.id ?? '']);
  const taker = testCases.insertMany(suiteId, [named('a')]);
  expect(() => testCases.restore(again)).toThrow(
    /The case a: Another case of the suite has this id/,
  );
  expect(testCases.listBySuite(suiteId)).toHaveLength(3);
  expect(testCases.get(taker[0]?.id ?? '')).toEqual(taker[0]);

  const cases = testCases.listBySuite(suiteId);
  const suite = suites.hide(suiteId);
  expect(() => testCases.restore(cases)).toThrow(/suite of the case .* doesn't exist/);
  const { id, name } = suite;
  const token = trash.put({ kind: 'suite', title: name, content: { id, name } });
  expect([suites.list(), suites.get(id), suites.getByName(name)]).toEqual([[], null, null]);
  expect([testCases.listBySuite(id), testCases.get(cases[0]?.id ?? '')]).toEqual([[], null]);
  at.reopen();
  const hidden = at.store.trash.take(token);
  expect(hidden).toEqual({ kind: 'suite', title: 'S', content: { id, name } });
  expect(at.store.trash.take(token)).toBeNull();
  at.store.suites.restore(suite);
  expect(at.store.suites.get(suiteId)).toEqual(suite);
  expect(at.store.testCases.listBySuite(suiteId)).toEqual(cases);
});

test('keeps an undo token after a failed undo and drops it when the trash is cleared', () => {
  const { trash, transaction } = at.store;
  const token = trash.put({ kind: 'cases', title: 't', content: [] });
  expect(() =>
    transaction(() => {
      trash.take(token);
      throw new Error('The return failed.');
    }),
  ).toThrow('The return failed.');
  expect(trash.take(token)).not.toBeNull();
  const other = trash.put({ kind: 'cases', title: 't', content: [] });
  trash.clear();
  expect(trash.take(other)).toBeNull();
});

test('keeps a suite’s prompt and messages and refuses a name that is taken', () => {
  const { suites } = at.store;
  const made = suites.get(suiteId);
  expect(made).toMatchObject({
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hi' }],
    servers: ['todo'],
    caseCount: 0,
  });
  expect(suites.getByName('S')).toEqual(made);
  expect(() => suites.insert({ name: 'S', system: null, messages: [], servers: [] })).toThrow(
    /The suite S: Another suite has this name/,
  );
  const other = suites.insert({ name: 'a', system: null, messages: [], servers: [] });
  expect(() => suites.update(other.id, { ...other, name: 'S' })).toThrow(
    expect.objectContaining({ code: 'CONFLICT', data: expect.objectContaining({ field: 'name' }) }),
  );
  expect(suites.update(other.id, { ...other, name: 'b' })).toMatchObject({
    id: other.id,
    name: 'b',
    createdAt: other.createdAt,
  });
  expect(suites.list().map(({ name }) => name)).toEqual(['b', 'S']);
  expect(() => suites.update('gone', other)).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  );
  expect(() => suites.hide('gone')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('names the case with a damaged column', () => {
  const [made] = at.store.testCases.insertMany(suiteId, [full]);
  at.db.prepare(`UPDATE test_cases SET expected_calls = '[{"tool":1}]' WHERE id = ?`).run(made?.id);
  expect(() => at.store.testCases.listBySuite(suiteId)).toThrow(
    /The case add a task \(.*\): Its stored row can't be read \(expectedCalls/,
  );
});
