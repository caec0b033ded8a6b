import { expect, test } from 'vitest';
import { defaultTaskLimits, type TaskContent } from '../../../src-shared/domain/task.ts';
import type { Store } from '../../store/store.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { SuitesService } from './suitesService.ts';

const options = { signal: new AbortController().signal };
const head = 'version: 1\nname: S\nservers: [todo]\ncases:\n';
const oneCase = '  - { id: a, name: a, query: q, expected_calls: [] }\n';
const task = (id: string, turn: string, server = 'todo') =>
  `  - id: ${id}
    name: Buy milk
    turns: [${turn}]
    setup: [{ server: ${server}, tool: add_task, arguments: { title: Pay rent } }]
    checks:
      - state: { server: ${server}, tool: list_tasks, contains: { title: milk } }
      - calls: { must: ['${server}:add_task'], never: [delete_task] }
    stub_results: [{ server: ${server}, tool: add_task, result: { id: 1 } }]
`;
const emptyCase = {
  query: 'q',
  tags: [],
  servers: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
  stubResults: [],
};
const given = (text: string) => ({ fileName: 's.suite.yaml', text });

test('imports and exports cases and tasks of a suite without a change', async () => {
  using database = createTestDatabase();
  const suites = new SuitesService({ store: database.store });
  const text = head + oneCase + task('b', 'Add milk.');
  expect(await suites.previewImport(given(text), options)).toMatchObject({
    cases: 1,
    tasks: 1,
    unknownServers: [{ name: 'todo', tools: 2 }],
  });
  const { id, ...made } = await suites.import({ ...given(text), replace: false }, options);
  expect(made).toMatchObject({ caseCount: 1, taskCount: 1 });
  const { text: written, losses } = await suites.export({ id, format: 'yaml' });
  expect(losses).toEqual([]);
  const again = await suites.import({ ...given(written), replace: true }, options);
  expect(again.id).toBe(id);
  expect((await suites.export({ id, format: 'yaml' })).text).toBe(written);
  expect((await suites.export({ id, format: 'csv' })).losses).toContainEqual({
    case: 'b',
    what: 'It isn’t exported: the format holds test cases, and this is a task.',
  });
});

test('keeps the id of a task whose key stays, and gives tasks added to a suite free keys', async () => {
  using database = createTestDatabase();
  const suites = new SuitesService({ store: database.store });
  const first = head + oneCase + task('b', 'Add milk.');
  const { id } = await suites.import({ ...given(first), replace: false }, options);
  const [before] = await suites.tasks({ suiteId: id });
  await suites.import(
    { ...given(head + task('c', 'New.') + task('b', 'Add bread.')), replace: true },
    options,
  );
  const after = await suites.tasks({ suiteId: id });
  expect(after.map(({ key, content }) => [key, content.turns])).toEqual([
    ['c', ['New.']],
    ['b', ['Add bread.']],
  ]);
  expect(after[1]?.id).toBe(before?.id);
  await suites.import({ ...given(first), replace: false, into: id }, options);
  const keys = (await suites.tasks({ suiteId: id })).map(({ key }) => key);
  expect(keys).toEqual(['c', 'b', 'b-2']);
});

test('restores the tasks of a deleted suite', async () => {
  using database = createTestDatabase();
  const { store } = database;
  const suites = new SuitesService({ store });
  const { id } = await suites.import(
    { ...given(head + task('b', 'Add milk.')), replace: false },
    options,
  );
  const before = await suites.tasks({ suiteId: id });
  const { token } = await suites.remove({ id });
  expect(store.tasks.listBySuite(id)).toEqual([]);
  store.transaction(() => {
    suites.restoreSuite(store.trash.take(token)?.content);
  });
  expect(await suites.tasks({ suiteId: id })).toEqual(before);
});

test('follows a server that gets another name, on import and in the workspace', async () => {
  using database = createTestDatabase();
  const { store } = database;
  const suites = new SuitesService({ store });
  const text = head + task('b', 'Add milk.', 'old');
  const input = { ...given(text), serverNames: { old: 'notes' }, replace: false };
  const { id } = await suites.import(input, options);
  const content = () => store.tasks.listBySuite(id)[0]?.content;
  expect(JSON.stringify(content())).not.toContain('"old');
  expect(content()?.checks[1]).toMatchObject({ must: ['notes:add_task'], never: ['delete_task'] });
  const url = 'http://127.0.0.1:1/notes';
  const server = { name: 'notes', url, config: { transport: 'sse' as const, url, headers: {} } };
  const made = store.servers.insert(server);
  store.servers.update(made.id, { ...server, name: 'todo "2"' });
  expect(content()).toMatchObject({
    setup: [{ server: 'todo "2"' }],
    checks: [{ server: 'todo "2"' }, { must: ['todo "2":add_task'] }],
    stubs: [{ server: 'todo "2"' }],
  });
});

const content: TaskContent = {
  name: 'Buy milk',
  turns: ['Add milk.'],
  tags: [],
  servers: [],
  setup: [],
  checks: [{ id: 'said', kind: 'answer', expected: { $contains: 'milk' } }],
  limits: defaultTaskLimits,
  stubs: [],
  injection: null,
};

async function suiteWithTask(store: Store) {
  const suites = new SuitesService({ store });
  const suite = await suites.create({ name: 'S', system: null, messages: [], servers: [] });
  const made = await suites.createTask({ suiteId: suite.id, content });
  return { suites, suiteId: suite.id, made };
}

test('creates, changes, and duplicates a task under keys of its own', async () => {
  using database = createTestDatabase();
  const { suites, suiteId, made } = await suiteWithTask(database.store);
  expect(made).toMatchObject({ key: 'buy-milk', content });
  const next = { ...content, turns: ['Add milk.', 'Thanks.'] };
  expect(await suites.updateTask({ id: made.id, content: next })).toMatchObject({
    id: made.id,
    key: 'buy-milk',
    position: made.position,
    content: next,
  });
  const copies = await suites.duplicateTasks({ ids: [made.id, made.id] });
  expect(copies.map(({ key, content: { name } }) => [key, name])).toEqual([
    ['buy-milk-2', 'Buy milk (copy)'],
    ['buy-milk-3', 'Buy milk (copy)'],
  ]);
  const listed = await suites.tasks({ suiteId });
  expect(listed.map(({ key }) => key)).toEqual(['buy-milk', 'buy-milk-2', 'buy-milk-3']);
  expect((await suites.get({ id: suiteId })).taskCount).toBe(3);
});

test('restores deleted tasks at their places', async () => {
  using database = createTestDatabase();
  const { store } = database;
  const { suites, suiteId, made } = await suiteWithTask(store);
  await suites.duplicateTasks({ ids: [made.id] });
  const before = await suites.tasks({ suiteId });
  const { token, what } = await suites.removeTasks({ ids: before.map(({ id }) => id) });
  expect(what).toBe('2 tasks');
  expect(await suites.tasks({ suiteId })).toEqual([]);
  store.transaction(() => {
    suites.restoreTasks(store.trash.take(token)?.content);
  });
  expect(await suites.tasks({ suiteId })).toEqual(before);
  await expect(suites.removeTasks({ ids: ['nobody'] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('keeps the keys of cases and tasks of a suite apart', async () => {
  using database = createTestDatabase();
  const { suites, suiteId, made } = await suiteWithTask(database.store);
  const testCase = { ...emptyCase, suiteId, name: 'Buy milk' };
  expect((await suites.createCase(testCase)).key).toBe('buy-milk-2');
  const conflict = { code: 'CONFLICT', data: { field: 'key' } };
  await expect(suites.createCase({ ...testCase, key: 'buy-milk' })).rejects.toMatchObject(conflict);
  await expect(
    suites.updateTask({ id: made.id, key: 'buy-milk-2', content }),
  ).rejects.toMatchObject(conflict);
  expect((await suites.updateTask({ id: made.id, key: 'own', content })).key).toBe('own');
});

test('refuses a task that no run could judge, and names the field', async () => {
  using database = createTestDatabase();
  const { suites, suiteId } = await suiteWithTask(database.store);
  const [said] = content.checks;
  const save = (change: Partial<TaskContent>) =>
    suites.createTask({ suiteId, content: { ...content, ...change } });
  const fieldOf = (field: string) => ({ code: 'INVALID', data: { field } });
  await expect(
    save({ checks: [...content.checks, { id: 'b', kind: 'answer', expected: { $regex: '(' } }] }),
  ).rejects.toMatchObject(fieldOf('content.checks.1.expected'));
  await expect(save({ checks: said === undefined ? [] : [said, said] })).rejects.toMatchObject(
    fieldOf('content.checks.1.id'),
  );
  const stub = {
    server: 's',
    tool: 't',
    arguments: { a: { $regex: '(' } },
    result: 1,
    isError: false,
  };
  await expect(save({ stubs: [stub] })).rejects.toMatchObject(fieldOf('content.stubs.0.arguments'));
});

test('says how many tasks of a suite ask a judge or read a server', async () => {
  using database = createTestDatabase();
  const suites = new SuitesService({ store: database.store });
  const judged = task('j', 'Write a poem.').replace(
    '      - calls',
    '      - judge: It rhymes.\n      - calls',
  );
  await suites.import(
    { ...given(head + task('b', 'Add milk.') + judged), replace: false },
    options,
  );
  expect(await suites.list()).toMatchObject([
    { taskCount: 2, judgedTaskCount: 1, executedTaskCount: 2 },
  ]);
});
