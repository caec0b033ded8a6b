import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import type { NewTestCase } from '../suites/testCases.ts';

let at: TestDatabase;
beforeEach(() => {
  at = createTestDatabase();
});
afterEach(() => at.close());

const config = (command: string): ServerConfig => ({
  transport: 'stdio',
  command,
  args: ['--x'],
  cwd: null,
  env: { A: '${secret:a}' },
});
const server = (name: string) => ({ name, url: `stdio:${name}`, config: config(name) });
const testCase = (over: Partial<NewTestCase>): NewTestCase => ({
  key: 'k',
  name: 'a case',
  query: 'do it',
  tags: [],
  servers: [],
  stubResults: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
  ...over,
});
const links = () =>
  at.db
    .prepare('SELECT test_case_id || mcp_server_id FROM test_case_mcp_servers ORDER BY 1')
    .pluck()
    .all();

function failure(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

test('refuses a configuration without a known transport, and keeps the columns of the data model', () => {
  at.store.servers.insert(server('todo'));
  for (const broken of ['{}', '{"transport":null}', '{"transport":"telepathy"}'])
    expect(() => at.db.prepare('UPDATE mcp_servers SET config = ?').run(broken)).toThrow(
      /constraint failed/,
    );
  expect(
    at.db
      .prepare(
        "SELECT name, \"notnull\" AS required FROM pragma_table_xinfo('mcp_servers') WHERE name = 'transport'",
      )
      .get(),
  ).toEqual({ name: 'transport', required: 1 });
  expect(at.db.prepare('SELECT transport FROM mcp_servers').pluck().all()).toEqual(['stdio']);
});

test('reads a server back as written', () => {
  const { servers } = at.store;
  const made = servers.insert(server('todo'));
  expect(made).toMatchObject({
    name: 'todo',
    url: 'stdio:todo',
    config: config('todo'),
    status: 'inactive',
    statusReason: null,
    lastConnectedAt: null,
  });
  expect(servers.get(made.id)).toEqual(made);
  expect(servers.getByName('todo')).toEqual(made);
  expect(servers.get('nothing')).toBeNull();
  const web: ServerConfig = {
    transport: 'sse',
    url: 'https://example.test/sse',
    headers: { Authorization: 'Bearer ${secret:t}' },
  };
  const other = servers.insert({ name: 'Alpha', url: 'https://example.test/sse', config: web });
  expect(servers.list().map(({ name }) => name)).toEqual(['Alpha', 'todo']);
  expect(servers.get(other.id)?.config).toEqual(web);
});

test('links a case without servers to those of its suite, also when the suite changes', () => {
  const { servers, suites, testCases } = at.store;
  const [todo, mail] = ['todo', 'mail'].map((name) => servers.insert(server(name)).id);
  const content = { name: 'a', system: null, messages: [], servers: ['todo'] };
  const suite = suites.insert(content);
  const [inherits, own] = testCases.insertMany(suite.id, [
    testCase({ key: 'inherits' }),
    testCase({ key: 'own', servers: ['mail'] }),
  ]);
  const pairs = (...linked: [{ id: string } | undefined, string | undefined][]) =>
    linked.map(([one, id]) => `${one?.id}${id}`).sort();
  expect(links()).toEqual(pairs([inherits, todo], [own, mail]));
  suites.update(suite.id, { ...content, servers: ['mail', 'calendar'] });
  expect(links()).toEqual(pairs([inherits, mail], [own, mail]));
  const calendar = servers.insert(server('calendar')).id;
  expect(links()).toEqual(pairs([inherits, mail], [own, mail], [inherits, calendar]));
  testCases.update(inherits?.id ?? '', testCase({ key: 'inherits', servers: ['todo'] }));
  expect(links()).toEqual(pairs([inherits, todo], [own, mail]));
});

test('says whether the name or the address is taken', () => {
  const { servers } = at.store;
  servers.insert(server('todo'));
  const second = servers.insert(server('second'));
  const byName = failure(() => servers.insert({ ...server('todo'), url: 'stdio:else' }));
  expect(byName).toMatchObject({
    code: 'CONFLICT',
    data: { thing: 'The server todo', field: 'name' },
  });
  const byUrl = failure(() =>
    servers.update(second.id, { ...server('second'), url: 'stdio:todo' }),
  );
  expect(byUrl).toMatchObject({ code: 'CONFLICT', data: { field: 'config' } });
  expect(byUrl.data.cause).toContain('as todo');
  expect(servers.get(second.id)).toEqual(second);
  expect(failure(() => servers.update('gone', server('x'))).code).toBe('NOT_FOUND');
  expect(failure(() => servers.delete('gone')).code).toBe('NOT_FOUND');
});

test('ignores a late status of a deleted server', () => {
  const { servers } = at.store;
  const { id } = servers.insert(server('todo'));
  const seen = '2026-02-02T00:00:00.000Z';
  expect(
    servers.setStatus(id, { status: 'active', statusReason: null, lastConnectedAt: seen }),
  ).toMatchObject({ status: 'active', lastConnectedAt: seen });
  expect(servers.setStatus(id, { status: 'failed', statusReason: 'no answer' })).toMatchObject({
    status: 'failed',
    statusReason: 'no answer',
    lastConnectedAt: seen,
  });
  servers.delete(id);
  expect(servers.setStatus(id, { status: 'active', statusReason: null })).toBeNull();
  expect(servers.list()).toEqual([]);
});

test('renames a server in cases and suites but not in other text', () => {
  const { servers, suites, testCases } = at.store;
  const todo = servers.insert(server('to "do"'));
  servers.insert(server('other'));
  const suite = suites.insert({
    name: 'S',
    system: null,
    messages: [],
    servers: ['other', 'to "do"'],
  });
  const [everywhere, alternative, text] = testCases.insertMany(suite.id, [
    testCase({
      key: '1',
      servers: ['to "do"', 'other'],
      expectedCalls: [
        { server: 'to "do"', tool: 'add', parameters: { server: 'to "do"' } },
        { server: 'other', tool: 'x' },
      ],
      allowedCalls: [{ server: 'to "do"', tool: 'list' }],
      stubResults: [{ server: 'to "do"', tool: 'list', result: { server: 'to "do"' } }],
    }),
    testCase({
      key: '2',
      expectedCalls: [
        {
          anyOf: [
            { server: 'to "do"', tool: 'a' },
            { server: 'other', tool: 'b' },
          ],
          parameters: {},
        },
      ],
    }),
    testCase({
      key: '3',
      query: 'to "do"',
      expectedCalls: [{ server: 'other', tool: 'to "do"', parameters: { name: 'to "do"' } }],
    }),
  ]);
  if (!everywhere || !alternative || !text) throw new Error('Three cases were to be made.');

  servers.update(todo.id, { ...server('tasks'), url: todo.url });
  expect(testCases.get(everywhere.id)).toEqual({
    ...everywhere,
    servers: ['tasks', 'other'],
    expectedCalls: [
      { server: 'tasks', tool: 'add', parameters: { server: 'to "do"' } },
      { server: 'other', tool: 'x' },
    ],
    allowedCalls: [{ server: 'tasks', tool: 'list' }],
    stubResults: [{ server: 'tasks', tool: 'list', result: { server: 'to "do"' } }],
    updatedAt: expect.not.stringMatching(everywhere.updatedAt),
  });
  expect(testCases.get(alternative.id)?.expectedCalls).toEqual([
    {
      anyOf: [
        { server: 'tasks', tool: 'a' },
        { server: 'other', tool: 'b' },
      ],
      parameters: {},
    },
  ]);
  expect(testCases.get(text.id)).toMatchObject({
    query: 'to "do"',
    expectedCalls: text.expectedCalls,
  });
  expect(suites.get(suite.id)?.servers).toEqual(['other', 'tasks']);
  const columns = at.db
    .prepare('SELECT expected_mcp_server_name FROM test_cases ORDER BY key')
    .pluck()
    .all();
  expect(columns).toEqual(['tasks', 'tasks', 'other']);
  expect(links()).toHaveLength(3 * 2);
});

test('renames no case when a rename fails half-way', () => {
  const { servers, suites, testCases } = at.store;
  const todo = servers.insert(server('todo'));
  const suite = suites.insert({ name: 'S', system: null, messages: [], servers: [] });
  const before = testCases.insertMany(suite.id, [
    testCase({ key: '1', servers: ['todo'] }),
    testCase({ key: '2', servers: ['todo'] }),
  ]);
  at.db.exec(
    `CREATE TRIGGER fault BEFORE UPDATE ON test_cases WHEN NEW.key = '2' BEGIN SELECT RAISE(ABORT, 'fault'); END`,
  );
  expect(() => servers.update(todo.id, server('tasks'))).toThrow('fault');
  expect(servers.get(todo.id)).toEqual(todo);
  expect(testCases.listBySuite(suite.id)).toEqual(before);
});

test('updates the links between cases and servers with every change of either', () => {
  const { servers, suites, testCases } = at.store;
  const suite = suites.insert({ name: 'S', system: null, messages: [], servers: [] });
  const [one] = testCases.insertMany(suite.id, [testCase({ servers: ['todo', 'unregistered'] })]);
  if (!one) throw new Error('A case was to be made.');
  expect(links()).toEqual([]);
  const todo = servers.insert(server('todo'));
  expect(links()).toEqual([one.id + todo.id]);
  testCases.update(one.id, { ...one, servers: [] });
  expect(links()).toEqual([]);
  testCases.update(one.id, { ...one, servers: ['todo', 'todo', 'tasks'] });
  expect(links()).toEqual([one.id + todo.id]);
  const gone = servers.delete(todo.id);
  expect(links()).toEqual([]);
  servers.restore(gone);
  expect(servers.get(todo.id)).toEqual(todo);
  expect(links()).toEqual([one.id + todo.id]);
  testCases.deleteMany([one.id]);
  expect(links()).toEqual([]);
});

test('lists cases that need a server through suite defaults and alternatives too', () => {
  const { servers, suites, testCases } = at.store;
  servers.insert(server('todo'));
  const byDefault = suites.insert({
    name: 'by default',
    system: null,
    messages: [],
    servers: ['todo'],
  });
  const own = suites.insert({ name: 'own', system: null, messages: [], servers: [] });
  testCases.insertMany(byDefault.id, [
    testCase({ key: '1', name: 'inherits' }),
    testCase({ key: '2', name: 'another server', servers: ['else'] }),
  ]);
  testCases.insertMany(own.id, [
    testCase({ key: '1', name: 'shown', servers: ['todo'] }),
    testCase({
      key: '2',
      name: 'expected',
      expectedCalls: [
        { server: 'else', tool: 'x' },
        { server: 'todo', tool: 'x' },
      ],
    }),
    testCase({
      key: '3',
      name: 'alternative',
      expectedCalls: [
        {
          anyOf: [
            { server: 'else', tool: 'x' },
            { server: 'todo', tool: 'x' },
          ],
        },
      ],
    }),
    testCase({
      key: '4',
      name: 'only a parameter',
      expectedCalls: [{ server: 'else', tool: 'x', parameters: { server: 'todo' } }],
    }),
  ]);
  expect(servers.casesNaming('todo').map(({ name, suiteName }) => `${suiteName}/${name}`)).toEqual([
    'by default/inherits',
    'own/shown',
    'own/expected',
    'own/alternative',
  ]);
});

test('refuses to restore a server whose name was taken meanwhile', () => {
  const { servers } = at.store;
  const old = servers.delete(servers.insert(server('todo')).id);
  const fresh = servers.insert({ ...server('todo'), url: 'stdio:fresh' });
  expect(failure(() => servers.restore(old))).toMatchObject({
    code: 'CONFLICT',
    data: { thing: 'The server todo' },
  });
  expect(servers.list()).toEqual([fresh]);
});

test('names a server row that another program damaged', () => {
  const { servers } = at.store;
  const { id } = servers.insert(server('todo'));
  at.db.prepare(`UPDATE mcp_servers SET config = '{"transport":"stdio"}' WHERE id = ?`).run(id);
  const error = failure(() => servers.list());
  expect(error.code).toBe('TROUBLE');
  expect(error.data.thing).toBe(`The server todo (${id})`);
  expect(error.data.cause).toContain('config');
});
