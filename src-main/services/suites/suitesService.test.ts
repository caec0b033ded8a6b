import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { SuitesService } from './suitesService.ts';

const options = { signal: new AbortController().signal };
const serviceOn = ({ store }: TestDatabase) => new SuitesService({ store });
const named = (name: string) => ({ name, system: null, messages: [], servers: [] });
const content = (name: string, more: Partial<CaseContent> = {}): CaseContent => ({
  name,
  query: `query of ${name}`,
  tags: [],
  servers: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
  stubResults: [],
  ...more,
});
const fileOf = (name: string, ids: string[], more = '') =>
  `version: 1\nname: ${name}\nservers: [todo]\n${more}cases: [${ids.map((id) => `{ id: ${id}, name: Case ${id}, query: do ${id}, expected_calls: [{ server: todo, tool: ${id} }] }`).join(', ')}]\n`;
const importing = (text: string, replace = false) => ({ fileName: 'x.suite.yaml', text, replace });

/** All that the database holds: what was committed, wherever SQLite keeps it. */
function fingerprint({ db }: TestDatabase): string {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const hash = createHash('sha256');
  for (const table of tables)
    hash.update(JSON.stringify([table, db.prepare(`SELECT * FROM "${table}"`).all()]));
  return hash.digest('hex');
}

describe('suites and cases', () => {
  test('keeps changes and rejects a duplicate suite name', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const made = await suites.create({ ...named('One'), system: 'Be brief.', servers: ['todo'] });
    expect(made).toMatchObject({
      name: 'One',
      system: 'Be brief.',
      servers: ['todo'],
      caseCount: 0,
    });
    await suites.create(named('Two'));
    expect((await suites.update({ id: made.id, ...named('Renamed') })).name).toBe('Renamed');
    await expect(suites.update({ id: made.id, ...named('Two') })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(suites.create(named('Two'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await suites.list()).map(({ name }) => name)).toEqual(['Renamed', 'Two']);
    for (const call of [
      suites.get({ id: 'none' }),
      suites.cases({ suiteId: 'none' }),
      suites.remove({ id: 'none' }),
      suites.removeCases({ ids: ['none'] }),
      suites.export({ id: 'none', format: 'yaml' }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('gives each case an id of its own that an edit keeps', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const { id: suiteId } = await suites.create(named('S'));
    const keys = [];
    for (const name of ['Add a Task!', 'add a task', '???'])
      keys.push((await suites.createCase({ suiteId, ...content(name) })).key);
    expect(keys).toEqual(['add-a-task', 'add-a-task-2', 'case']);
    await expect(
      suites.createCase({ suiteId, ...content('x'), key: 'case' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(suites.createCase({ suiteId: 'none', ...content('x') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const [first] = await suites.cases({ suiteId });
    const edited = await suites.updateCase({
      id: first!.id,
      ...content('Renamed', { tags: ['t'] }),
    });
    expect(edited).toMatchObject({
      id: first!.id,
      key: 'add-a-task',
      position: 0,
      name: 'Renamed',
      tags: ['t'],
    });
    expect((await suites.get({ id: suiteId })).caseCount).toBe(3);
  });

  test('rejects a matcher that cannot hold, and arguments that nothing is compared with', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const { id: suiteId } = await suites.create(named('S'));
    const wrong = content('x', {
      expectedCalls: [
        { server: 't', tool: 'u' },
        { server: 't', tool: 'u', parameters: { a: { $regexx: 'x' } } },
      ],
    });
    await expect(suites.createCase({ suiteId, ...wrong })).rejects.toMatchObject({
      code: 'INVALID',
      data: { field: 'expectedCalls.1.parameters.a.$regexx' },
    });
    const anyOf = [
      { server: 't', tool: 'u', parameters: {} },
      { server: 't', tool: 'v', parameters: {} },
    ];
    const unread = content('x', { expectedCalls: [{ anyOf, parameters: { a: 1 } }] });
    await expect(suites.createCase({ suiteId, ...unread })).rejects.toMatchObject({
      code: 'INVALID',
      data: {
        field: 'expectedCalls.0.parameters',
        cause: expect.stringMatching(/^Each alternative has arguments of its own/),
      },
    });
    const made = await suites.createCase({ suiteId, ...content('x') });
    await expect(suites.updateCase({ id: made.id, ...wrong })).rejects.toMatchObject({
      code: 'INVALID',
    });
    expect(await suites.cases({ suiteId })).toEqual([made]);
  });

  test('restores everything that was deleted, once', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const { store } = database;
    const { id } = await suites.import(importing(fileOf('S', ['a', 'b', 'c'])), options);
    const before = {
      suite: await suites.get({ id }),
      cases: await suites.cases({ suiteId: id }),
    };

    const some = await suites.removeCases({
      ids: [before.cases[0]!.id, before.cases[2]!.id, 'unknown'],
    });
    expect(some.what).toBe('2 cases');
    expect((await suites.cases({ suiteId: id })).map(({ key }) => key)).toEqual(['b']);
    store.transaction(() => suites.restoreCases(store.trash.take(some.token)?.content));
    expect(await suites.cases({ suiteId: id })).toEqual(before.cases);
    expect(store.trash.take(some.token)).toBeNull();

    const all = await suites.remove({ id });
    expect(all.what).toBe('Suite S');
    expect(await suites.list()).toEqual([]);
    store.transaction(() => suites.restoreSuite(store.trash.take(all.token)?.content));
    expect(await suites.get({ id })).toEqual(before.suite);
    expect(await suites.cases({ suiteId: id })).toEqual(before.cases);
  });
});

describe('suite files', () => {
  test('replaces a suite only on request and keeps the ids of known cases', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const made = await suites.import(importing(fileOf('S', ['a', 'b', 'c'])), options);
    const before = new Map(
      (await suites.cases({ suiteId: made.id })).map(({ key, id }) => [key, id]),
    );
    const next = fileOf('S', ['d', 'c', 'a'], 'system: new\n');
    expect(await suites.previewImport({ fileName: 'x', text: next }, options)).toEqual({
      name: 'S',
      cases: 3,
      columns: null,
      replaces: { id: made.id, name: 'S', caseCount: 3, taskCount: 0, isSame: false },
      tasks: 0,
      into: null,
      problems: [],
      unknownServers: [{ name: 'todo', tools: 3, suggestion: null }],
      firstCases: ['d', 'c', 'a'].map((key) => expect.objectContaining({ key }) as object),
      report: {
        converter: 'touchstone/1',
        sourceHash: createHash('sha256').update(next).digest('hex'),
        exact: 3,
        approximated: [],
        skipped: [],
        unreadFields: [],
        assumedServer: null,
      },
    });
    const untouched = fingerprint(database);
    await expect(suites.import(importing(next), options)).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { thing: 'The suite S' },
    });
    expect(fingerprint(database)).toBe(untouched);
    const replaced = await suites.import(importing(next, true), options);
    expect(replaced).toMatchObject({ id: made.id, system: 'new', caseCount: 3 });
    const after = await suites.cases({ suiteId: made.id });
    expect(after.map(({ key }) => key)).toEqual(['d', 'c', 'a']);
    expect([after[1]!.id, after[2]!.id]).toEqual([before.get('c'), before.get('a')]);
    expect([...before.values()]).not.toContain(after[0]!.id);
  });

  test('imports a suite with unknown servers and lists them', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const url = 'http://127.0.0.1:1/mcp';
    database.store.servers.insert({
      name: 'todo',
      url,
      config: { transport: 'streamable-http', url, headers: {} },
    });
    const text =
      'version: 1\nname: S\nservers: [todo, one]\ncases: [{ id: a, name: a, query: q, servers: [two], expected_calls: [{ any_of: [{ server: three, tool: t }] }], allowed_calls: [{ server: four, tool: t }] }]\n';
    expect((await suites.previewImport({ fileName: 'x', text }, options)).unknownServers).toEqual([
      { name: 'four', tools: 1, suggestion: null },
      { name: 'one', tools: 0, suggestion: null },
      { name: 'three', tools: 1, suggestion: null },
      { name: 'two', tools: 0, suggestion: null },
    ]);
    expect((await suites.import(importing(text), options)).caseCount).toBe(1);
  });

  test('rejects $absent for a parameter that the listed tool requires', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const { store, nextId, clock } = database;
    const url = 'http://127.0.0.1:1/mcp';
    const { id: serverId } = store.servers.insert({
      name: 'todo',
      url,
      config: { transport: 'streamable-http', url, headers: {} },
    });
    const inputSchema = {
      type: 'object',
      properties: { title: { type: 'string' }, due: { type: 'string' } },
      required: ['title'],
    };
    const tool = {
      server: 'todo',
      name: 'add',
      title: null,
      description: '',
      inputSchema,
      outputSchema: null,
      annotations: null,
    };
    const listing = {
      server: 'todo',
      serverId,
      status: 'listed' as const,
      error: null,
      instructions: null,
      protocolVersion: null,
      serverInfo: null,
      rejected: [],
    };
    const { id: snapshotId } = store.toolSnapshots.freeze({
      servers: [listing],
      tools: [{ serverId, tool: { tool, raw: JSON.stringify(tool) } }],
    });
    store.serverListings.add({
      id: nextId(),
      serverId,
      snapshotId,
      createdAt: clock.now(),
      askedBy: 'person',
    });
    const text = (name: string, call: string) =>
      `version: 1\nname: S\nservers: []\ncases:\n  - { id: a, name: a, query: q, expected_calls: [{ ${call}, parameters: { ${name}: { $absent: true } } }] }\n`;
    const one = 'server: todo, tool: add';
    const either = `any_of: [{ ${one} }, { server: other, tool: add }]`;
    expect(
      (await suites.previewImport({ fileName: 'x', text: text('title', one) }, options)).problems,
    ).toMatchObject([{ line: 5, path: '/cases/0/expected_calls/0/parameters/title/$absent' }]);
    expect(
      (await suites.previewImport({ fileName: 'x', text: text('due', one) }, options)).problems,
    ).toEqual([]);
    // Right for the other tool, so it may stand.
    expect(
      (await suites.previewImport({ fileName: 'x', text: text('title', either) }, options))
        .problems,
    ).toEqual([]);
  });

  test.each(['yaml', 'json'] as const)(
    'reads its own %s export back as the same suite',
    async (format) => {
      using database = createTestDatabase();
      const suites = serviceOn(database);
      const { id } = await suites.create({
        name: 'Über/uns: no',
        system: '',
        messages: [{ role: 'assistant', content: 'a\nb' }],
        servers: ['todo'],
      });
      await suites.createCase({
        suiteId: id,
        ...content('no', {
          tags: ['1.0'],
          expectedCalls: [
            { anyOf: [{ server: 't', tool: 'u' }], parameters: { x: { $any: [1, 'no'] } } },
          ],
          orderDependent: true,
          stubResults: [{ server: 't', tool: 'u', result: { deep: [null] } }],
        }),
      });
      await suites.createCase({
        suiteId: id,
        ...content('two', { servers: ['mail'], allowedCalls: [{ server: 't', tool: 'v' }] }),
        key: '007',
      });
      const before = {
        suite: await suites.get({ id }),
        cases: await suites.cases({ suiteId: id }),
      };
      const { fileName, text } = await suites.export({ id, format });
      expect(fileName).toBe(`über-uns-no.suite.${format}`);
      await suites.remove({ id });
      const again = await suites.import({ fileName, text, replace: false }, options);
      const bare = <T extends object>(value: T) => ({
        ...value,
        id: '',
        suiteId: '',
        createdAt: '',
        updatedAt: '',
      });
      expect(bare(again)).toEqual(bare(before.suite));
      expect((await suites.cases({ suiteId: again.id })).map(bare)).toEqual(before.cases.map(bare));
      expect((await suites.export({ id: again.id, format })).text).toBe(text);
    },
  );

  test.each([
    ['depth 10⁵', '['.repeat(100_000)],
    ['__proto__', `${fileOf('S', ['a'])}__proto__: {}\n`],
    ['a wrong version', fileOf('S', ['a']).replace('version: 1', 'version: 9')],
    ['a truncated file', fileOf('S', ['a', 'b']).slice(0, -20)],
    ['NaN', fileOf('S', ['a']).replace('name: Case a', 'name: .nan')],
    ['one bad case of many', fileOf('S', ['a', 'b', 'a'])],
  ])(
    'T64: rejects %s, gives the place and changes nothing in the database',
    async (_what, text) => {
      using database = createTestDatabase();
      const suites = serviceOn(database);
      await suites.import(importing(fileOf('S', ['a', 'b'])), options);
      const before = fingerprint(database);
      const preview = await suites.previewImport({ fileName: 'x', text }, options);
      expect(preview).toMatchObject({ name: null, cases: 0 });
      expect(preview.problems[0]).toMatchObject({
        line: expect.any(Number),
        column: expect.any(Number),
      });
      await expect(suites.import(importing(text, true), options)).rejects.toMatchObject({
        code: 'INVALID',
        data: {
          thing: 'The file x.suite.yaml',
          cause: expect.stringMatching(/in line \d+, column \d+: .+ Nothing was imported\.$/),
        },
      });
      expect(fingerprint(database)).toBe(before);
    },
  );

  test('rolls back an import that fails halfway', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    await suites.import(importing(fileOf('S', ['a', 'b'])), options);
    const before = fingerprint(database);
    database.db.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON test_cases WHEN NEW.key = 'e' BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    await expect(
      suites.import(importing(fileOf('S', ['c', 'd', 'e']), true), options),
    ).rejects.toThrow(/no room/);
    await expect(suites.import(importing(fileOf('New', ['c', 'd', 'e'])), options)).rejects.toThrow(
      /no room/,
    );
    expect(fingerprint(database)).toBe(before);
  });

  test('imports 10,000 cases in one transaction', async () => {
    using database = createTestDatabase();
    const suites = serviceOn(database);
    const cases = Array.from({ length: 10_000 }, (_, at) => ({
      id: `c${at}`,
      name: `Case ${at}`,
      query: `Add task ${at}`,
      expected_calls: [
        { server: 'todo', tool: 'add_task', parameters: { title: { $contains: `task ${at}` } } },
      ],
    }));
    let transactions = 0;
    const { store } = database;
    let depth = 0;
    const counting: typeof store.transaction = (work) => {
      if (depth === 0) transactions += 1;
      depth += 1;
      try {
        return store.transaction(work);
      } finally {
        depth -= 1;
      }
    };
    const counted = new SuitesService({ store: { ...store, transaction: counting } });
    const made = await counted.import(
      importing(JSON.stringify({ version: 1, name: 'Large', servers: ['todo'], cases })),
      options,
    );
    expect(transactions).toBe(1);
    expect(made.caseCount).toBe(10_000);
    const stored = await suites.cases({ suiteId: made.id });
    expect(stored.map(({ key }) => key)).toEqual(cases.map(({ id }) => id));
    database.reopen();
    expect(database.store.suites.get(made.id)?.caseCount).toBe(10_000);
  });

  test('reads the built-in sample', async () => {
    using database = createTestDatabase();
    const text = readFileSync(
      new URL('../../../datasets/sample/todo-sample.suite.yaml', import.meta.url),
      'utf8',
    );
    const preview = await serviceOn(database).previewImport(
      { fileName: 'todo-sample.suite.yaml', text },
      options,
    );
    expect(preview.problems).toEqual([]);
    expect(preview.cases).toBeGreaterThanOrEqual(24);
  });
});
