import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exportFormat, type CaseFormat } from '../../../src-shared/contract/suites.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import type { Input } from '../contractTypes.ts';
import { SuitesService } from './suitesService.ts';

const options = { signal: new AbortController().signal };
const table = 'id,query,tool,category\na,Add milk,add_task,x\nb,Hello,,\n';
const given = (text: string, format: CaseFormat = 'csv') => ({
  fileName: 'cases.csv',
  text,
  format,
  server: 'todo',
});

/** All that the database holds. */
function fingerprint({ db }: TestDatabase): string {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const hash = createHash('sha256');
  for (const each of tables)
    hash.update(JSON.stringify([each, db.prepare(`SELECT * FROM "${each}"`).all()]));
  return hash.digest('hex');
}

describe('importing and exporting cases', () => {
  test('remembers the map of an import for the next file with the same columns', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    const frage = (name: string, rows: string) => ({
      ...given(`frage,werkzeug,id\n${rows}\n`),
      name,
    });
    const first = frage('one', 'Add milk,add_task,a');
    expect((await suites.previewImport(first, options)).problems).not.toEqual([]);
    const map = { query: 'frage', tool: 'werkzeug' };
    await suites.import({ ...first, map, replace: false }, options);
    const second = frage('two', 'Add bread,add_task,b');
    const preview = await suites.previewImport(second, options);
    expect(preview.columns).toMatchObject({ isRemembered: true, mapped: map });
    await suites.import({ ...second, replace: false }, options);
    // An empty map guesses anew, and an import with it forgets.
    expect((await suites.previewImport({ ...second, map: {} }, options)).problems).not.toEqual([]);
    expect((await suites.list()).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  test('adds to a suite only what it doesn’t have yet, and says what is nearly the same', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    const rows = 'query,tool,id\nAdd two bottles of oat milk to the list,add_task,a\nHello,,b\n';
    const { id } = await suites.import({ ...given(rows), replace: false }, options);
    const [first] = await suites.cases({ suiteId: id });
    // What a person has changed besides the query and its calls doesn't make it another case.
    await suites.updateCase({
      ...{ id: first?.id ?? '', key: 'a', query: 'Add two bottles of oat milk to the list' },
      ...{ name: 'Milk', tags: ['food'], note: 'mine', servers: [], stubResults: [] },
      expectedCalls: [{ server: 'todo', tool: 'add_task' }],
      ...{ orderDependent: false, allowedCalls: [] },
    });
    const before = fingerprint(database);
    const again = { ...given(rows), into: id };
    expect(await suites.previewImport(again, options)).toMatchObject({
      cases: 0,
      replaces: { id, isSame: true },
      into: { known: 2, similar: 0 },
    });
    await suites.import({ ...again, replace: false }, options);
    expect(fingerprint(database)).toBe(before);
    const more =
      'query,tool,id\nHello,,b\nAdd two bottles of oat milk to the lists,add_task,a\n' +
      'Remove milk,remove_task,c\nRemove milk,remove_task,d\n';
    expect(await suites.previewImport({ ...given(more), into: id }, options)).toMatchObject({
      cases: 2,
      replaces: null,
      into: {
        known: 2,
        similar: 1,
        firstSimilar: [
          {
            query: 'Add two bottles of oat milk to the lists',
            other: 'Add two bottles of oat milk to the list',
          },
        ],
      },
    });
    await suites.import({ ...given(more), into: id, replace: false }, options);
    expect((await suites.cases({ suiteId: id })).map(({ key, query }) => [key, query])).toEqual([
      ['a', 'Add two bottles of oat milk to the list'],
      ['b', 'Hello'],
      ['a-2', 'Add two bottles of oat milk to the lists'],
      ['c', 'Remove milk'],
    ]);
    // The same query with another right call is another case.
    const other = given('query,tool\nRemove milk,add_task\n');
    expect(await suites.previewImport({ ...other, into: id }, options)).toMatchObject({
      cases: 1,
      into: { known: 0 },
    });
  });

  test('keeps the origin of a case after an edit, an undo, a restart and an export', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    const { id } = await suites.import({ ...given(table), replace: false }, options);
    const origin = {
      kind: 'import',
      format: 'csv',
      converter: 'csv/2',
      sourceHash: createHash('sha256').update(table).digest('hex'),
      sourceId: 'a',
      approximated: [],
    };
    const first = async () => (await suites.cases({ suiteId: id }))[0];
    const [found] = database.store.testCases.listBySuite(id);
    expect(found).toMatchObject({ key: 'a', origin });
    const {
      id: caseId,
      key,
      name,
      tags,
      servers,
      expectedCalls,
      orderDependent,
      allowedCalls,
      stubResults,
    } = found!;
    await suites.updateCase({
      id: caseId,
      key,
      name,
      query: 'Add bread',
      tags,
      servers,
      expectedCalls,
      orderDependent,
      allowedCalls,
      stubResults,
    });
    expect(await first()).toMatchObject({ query: 'Add bread', origin });
    const { token } = await suites.removeCases({ ids: [caseId] });
    database.store.transaction(() => {
      suites.restoreCases(database.store.trash.take(token)?.content);
    });
    expect(await first()).toMatchObject({ origin });
    const file = await suites.export({ id, format: 'yaml' });
    expect(file.losses).toEqual([]);
    await suites.import({ fileName: file.fileName, text: file.text, replace: true }, options);
    expect(await first()).toMatchObject({ query: 'Add bread', origin });
    database.reopen();
    expect(database.store.testCases.listBySuite(id)[0]).toMatchObject({ origin });
    // What was written here came from nowhere.
    const made = await new SuitesService({ store: database.store }).createCase({
      suiteId: id,
      name: 'n',
      query: 'q',
      tags,
      servers,
      expectedCalls,
      orderDependent,
      allowedCalls,
      stubResults,
    });
    expect(made.origin).toBeNull();
  });

  test('previews without writing and then imports what the preview said', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    const before = fingerprint(database);
    const preview = await suites.previewImport({ ...given(table), name: 'Mine' }, options);
    expect(preview).toMatchObject({
      name: 'Mine',
      cases: 2,
      replaces: null,
      problems: [],
      unknownServers: [{ name: 'todo', tools: 1, suggestion: null }],
      report: { converter: 'csv/2', exact: 2, approximated: [], skipped: [], assumedServer: null },
    });
    expect(fingerprint(database)).toBe(before);
    expect(
      await suites.import({ ...given(table), name: 'Mine', replace: false }, options),
    ).toMatchObject({ name: 'Mine', caseCount: 2 });
    await expect(
      suites.import({ ...given(table), name: 'Mine', replace: false }, options),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('says that a file brings nothing new until one of its cases, or its order, is another', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    const record = (id: string, prompt: string) =>
      JSON.stringify({ id, prompt, tool: 'add_task', args: { n: 1.5 }, tags: ['a'], note: 'why' });
    const question = JSON.stringify({
      id: 'q',
      prompt: 'Poem?',
      tool: 'add_task',
      should_call: false,
    });
    const textOf = (...lines: string[]) => ({
      ...{ fileName: 'mine.jsonl', format: 'jsonl' as const, server: 'todo' },
      text: lines.join('\n'),
    });
    const first = textOf(record('1', 'One?'), record('2', 'Two?'), question);
    const made = await suites.import({ ...first, replace: false }, options);
    expect(made).toMatchObject({ caseCount: 2, taskCount: 1 });
    const isSame = async (given: typeof first) =>
      (await suites.previewImport(given, options)).replaces?.isSame;
    expect(await isSame(first)).toBe(true);
    expect(await isSame(textOf(record('2', 'Two?'), record('1', 'One?'), question))).toBe(false);
    expect(await isSame(textOf(record('1', 'One?'), record('2', 'Too?'), question))).toBe(false);
    const [one] = await suites.cases({ suiteId: made.id });
    await suites.updateCase({ ...(one as Input<'suites', 'updateCase'>), name: 'Other' });
    expect(await isSame(first)).toBe(false);
  });

  test.each([
    ['csv', 'query,tool,parameters\nq,t,{}\nq,t,{"__proto__": 1}\n'],
    ['csv', `query,tool,parameters\nq,t,"${'['.repeat(100_000)}"\n`],
    ['csv', 'query,tool\nq,t\0\n'],
    [
      'jsonl',
      '{"query": "q", "tool": "t"}\n{"query": "q", "tool": "t", "parameters": {"a": {"$nothing": 1}}}\n',
    ],
    ['bfcl', '{"id": "a", "question": "q", "ground_truth": [{"f": {"a": 1}}]}\n'],
    ['mcpjam', '{"schemaVersion": "3", "cases": []}'],
    ['promptfoo', 'tests: file://tests.csv\n'],
    [
      'promptfoo',
      'tests: [{ vars: { query: x }, assert: [{ type: tool-call-f1, value: [t] }] }, { vars: { query: *a } }]\n',
    ],
  ] as const)('T64: a faulty %s text changes nothing in the database: %j', async (format, text) => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    await suites.import({ ...given(table), replace: false }, options);
    const before = fingerprint(database);
    const preview = await suites.previewImport(
      { ...given(text, format), fileName: 'cases.txt' },
      options,
    );
    expect(preview).toMatchObject({ name: null, cases: 0 });
    expect(preview.problems[0]).toMatchObject({ line: expect.any(Number) as number });
    await expect(
      suites.import({ ...given(text, format), fileName: 'cases.txt', replace: true }, options),
    ).rejects.toMatchObject({
      code: 'INVALID',
      data: { cause: expect.stringContaining('Nothing was imported.') as string },
    });
    expect(fingerprint(database)).toBe(before);
  });

  test('reports the losses of each export format and makes a safe file name', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    const { id } = await suites.create({
      name: '../S',
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'x' }],
      servers: ['todo'],
    });
    const call = { server: 'todo', tool: 'add', parameters: { title: { $contains: 'milk' } } };
    await suites.createCase({
      suiteId: id,
      name: 'n',
      query: '=q',
      tags: ['t'],
      servers: ['mail'],
      expectedCalls: [call, call],
      orderDependent: true,
      allowedCalls: [{ server: 'todo', tool: 'list' }],
      stubResults: [{ server: 'todo', tool: 'list', result: 1 }],
    });
    const losses = new Map<string, string>();
    for (const format of exportFormat.options) {
      const { fileName, losses: lost, text } = await suites.export({ id, format });
      losses.set(format, lost.map(({ what }) => what).join(' '));
      expect(fileName).toMatch(/^s\.[a-z.]+$/);
      expect(text).not.toBe('');
    }
    for (const format of ['yaml', 'json', 'csv', 'jsonl'] as const)
      expect(losses.get(format)).toBe('');
    expect(losses.get('promptfoo')).toMatch(/allowed.*stub results.*title isn’t exported/s);
    expect(losses.get('promptfoo')).not.toMatch(/system prompt|messages/);
    expect(losses.get('mcpjam')).toMatch(
      /messages.*tags.*servers.*order.*allowed.*stub results.*model.*title isn’t exported/s,
    );
    expect(losses.get('bfcl')).toMatch(
      /tags.*servers.*order.*allowed.*stub results.*title isn’t exported/s,
    );
  });
});
