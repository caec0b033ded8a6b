import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ImportProgress } from '../../../src-shared/contract/suites.ts';
import { isNightly } from '../../testing/nightly.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { Settler } from './settler.ts';
import { createCaseReader } from './caseReader.ts';
import { SuitesService } from './suitesService.ts';

const options = { signal: new AbortController().signal };
const count = 2_000;

function suiteText(
  change: (cases: { id: string; query: string }[]) => void = () => undefined,
  length = count,
): string {
  const cases = Array.from({ length }, (_, at) => ({
    id: `c${at}`,
    name: `Case ${at}`,
    query: `Add number ${at}`,
    servers: at % 2 === 0 ? ['todo', 'other'] : [],
    expected_calls: [{ server: 'todo', tool: 'add_task', parameters: { title: `number ${at}` } }],
  }));
  change(cases);
  return JSON.stringify({ version: 1, name: 'large', servers: ['todo'], cases });
}

function open(database: TestDatabase) {
  const { store } = database;
  const reader = createCaseReader(store);
  const settler = new Settler(store);
  return {
    suites: new SuitesService({ store, reader, settler }),
    /** Resolves once nothing is moved or deleted any more. */
    settled: () => settler.idle(),
    stop: () => settler.stop(),
    close: () => reader.close(),
  };
}

const countOf = ({ db }: TestDatabase, from: string): number | undefined =>
  db.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get();
const hiddenSuites = (database: TestDatabase) => countOf(database, 'suites WHERE hidden = 1');
const storedCases = (database: TestDatabase) => countOf(database, 'test_cases');

/** How many turns others had while the work was under way. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) globalThis.setImmediate(count);
  };
  globalThis.setImmediate(count);
  await work.finally(() => (over = true));
  return turns;
}

/** All that was said of the progress while the work was under way. */
async function progressDuring(
  suites: SuitesService,
  work: Promise<unknown>,
): Promise<ImportProgress[]> {
  const seen: ImportProgress[] = [];
  let over = false;
  const ask = async (): Promise<void> => {
    while (!over) {
      const progress = await suites.importProgress();
      if (progress !== null) seen.push(progress);
      await setImmediate();
    }
  };
  await Promise.all([work.finally(() => (over = true)), ask()]);
  return seen;
}

describe('a large file of cases', () => {
  test('says how many of its records are read, and how many are written', async () => {
    using database = createTestDatabase();
    const { suites, close } = open(database);
    const length = 5_000;
    const text = Array.from({ length }, (_, at) =>
      JSON.stringify({ query: `Add number ${at}`, tool: 'add_task' }),
    ).join('\n');
    const file = { fileName: 'large.jsonl', text, format: 'jsonl' as const, server: 'todo' };
    expect(await suites.importProgress()).toBeNull();
    const read = await progressDuring(suites, suites.previewImport(file, options));
    expect(new Set(read.map(({ unit }) => unit))).toEqual(new Set(['records']));
    const counted = read.filter(({ total }) => total !== null);
    expect(new Set(counted.map(({ total }) => total))).toEqual(new Set([length]));
    expect(counted.every(({ done }) => done <= length)).toBe(true);
    expect(new Set(counted.map(({ done }) => done)).size).toBeGreaterThan(1);
    const written = await progressDuring(
      suites,
      suites.import({ ...file, replace: false }, options),
    );
    expect(written.at(-1)).toMatchObject({ total: length, unit: 'records' });
    expect(await suites.importProgress()).toBeNull();
    await close();
  });

  test('says how many bytes of a log are read, and nothing once it is stopped', async () => {
    using database = createTestDatabase();
    await using folder = await temporaryFolder();
    const { suites, close } = open(database);
    const record = JSON.stringify({
      request: { messages: [{ role: 'user', content: 'Add milk' }] },
      response: { choices: [{ message: { role: 'assistant', content: 'x'.repeat(1000) } }] },
    });
    const path = join(folder.path, 'agent.jsonl');
    await writeFile(path, `${record}\n`.repeat(20_000));
    const { size } = await stat(path);
    const source = { fileName: 'agent.jsonl', source: { path }, limit: 10 };
    const read = await progressDuring(suites, suites.proposeFromLog(source, options));
    expect(new Set(read.map(({ unit }) => unit))).toEqual(new Set(['bytes']));
    for (const { done, total } of read) {
      expect(done).toBeLessThanOrEqual(size);
      expect(Math.abs((total ?? 0) - size)).toBeLessThan(1024);
    }
    expect(new Set(read.map(({ done }) => done)).size).toBeGreaterThan(1);
    const stop = new AbortController();
    const stopped = suites.proposeFromLog(source, { signal: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toThrow();
    expect(await suites.importProgress()).toBeNull();
    await close();
  });

  test('stops moving cases at once, also while it waits for those who read them', async () => {
    using database = createTestDatabase();
    const { suites, stop, close } = open(database);
    const file = { fileName: 'large.json', text: suiteText(undefined, 300), replace: false };
    const { id } = await suites.import(file, options);
    const reading = Promise.withResolvers<void>();
    const read = database.store.testCases.readBySuite(id, () => reading.promise);
    await suites.import({ ...file, text: suiteText().replace('large', 'other') }, options);
    // What was imported is to be moved, and waits.
    await setImmediate();
    let isStopped = false;
    const stopped = stop().then(() => (isStopped = true));
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    expect(isStopped).toBe(true);
    reading.resolve();
    await Promise.all([stopped, read]);
    await close();
  });

  test('imports cases in order with their servers, like a small file', async () => {
    using database = createTestDatabase();
    database.store.servers.insert({
      name: 'todo',
      url: 'stdio:todo',
      config: { transport: 'stdio', command: 'todo', args: [], cwd: null, env: {} },
    });
    const { suites, close } = open(database);
    const { id, caseCount } = await suites.import(
      { fileName: 'large.json', text: suiteText(), replace: false },
      options,
    );
    expect(caseCount).toBe(count);
    const stored = database.store.testCases.listBySuite(id);
    expect(stored.map(({ key, position }) => [key, position])).toEqual(
      Array.from({ length: count }, (_, at) => [`c${at}`, at]),
    );
    expect(stored[4]).toMatchObject({
      suiteId: id,
      name: 'Case 4',
      servers: ['todo', 'other'],
      expectedCalls: [{ server: 'todo', tool: 'add_task', parameters: { title: 'number 4' } }],
      origin: null,
    });
    const linked = database.db
      .prepare<[], number>('SELECT count(*) FROM test_case_mcp_servers')
      .pluck()
      .get();
    // Every other case names no server and has that of its suite.
    expect(linked).toBe(count);
    expect(hiddenSuites(database)).toBe(0);
    await close();
  });

  test('yields to the event loop while it imports and reads', async () => {
    using database = createTestDatabase();
    const { suites, close } = open(database);
    const long = isNightly ? 10_000 : 5_000;
    const text = suiteText(undefined, long);
    expect(
      await turnsDuring(suites.import({ fileName: 'large.json', text, replace: false }, options)),
    ).toBeGreaterThan(2);
    expect(
      await turnsDuring(suites.import({ fileName: 'large.json', text, replace: true }, options)),
    ).toBeGreaterThan(2);
    const [made] = await suites.list();
    expect(await turnsDuring(suites.cases({ suiteId: made?.id ?? '' }))).toBeGreaterThan(1);
    expect(await turnsDuring(suites.problems({ suiteId: made?.id ?? '' }))).toBeGreaterThan(2);
    const { id } = await suites.create({ name: 'own', system: null, messages: [], servers: [] });
    expect(
      await turnsDuring(
        suites.import({ fileName: 'large.json', text, replace: false, into: id }, options),
      ),
    ).toBeGreaterThan(2);
    expect(await suites.list()).toMatchObject([
      { name: 'large', caseCount: long },
      { name: 'own', caseCount: long },
    ]);
    await close();
  });

  test('hands over all entries of a text that a worker reads, with origins, and reads it once', async () => {
    using database = createTestDatabase();
    const { suites, close } = open(database);
    const record = (at: number, name: string): string =>
      JSON.stringify({ query: `${name} ${at} ${'w'.repeat(200)}`, tool: 'add_task' });
    const textOf = (name: string): string =>
      Array.from({ length: 1_001 }, (_, at) => record(at, name)).join('\n');
    const files = ['one', 'two'].map((name) => ({
      ...{ fileName: `${name}.jsonl`, text: textOf(name) },
      ...{ format: 'jsonl' as const, server: 'todo' },
    }));
    // Both are previewed at the same time, then imported in the other order.
    const previews = await Promise.all(files.map((file) => suites.previewImport(file, options)));
    expect(previews).toMatchObject(
      ['one', 'two'].map((name) => ({
        name,
        cases: 1_001,
        firstCases: { length: 200 },
        unknownServers: [{ name: 'todo', tools: 1 }],
      })),
    );
    for (const file of [...files].reverse()) {
      const { id, name } = await suites.import({ ...file, replace: false }, options);
      const stored = database.store.testCases.listBySuite(id);
      expect(stored.map(({ query }) => query.split(' ', 2).join(' '))).toEqual(
        Array.from({ length: 1_001 }, (_, at) => `${name} ${at}`),
      );
      expect(stored[1_000]?.origin).toMatchObject({ kind: 'import', format: 'jsonl' });
    }
    await close();
  });

  test('appends cases to a suite with new ids and the servers of their file', async () => {
    using database = createTestDatabase();
    database.store.servers.insert({
      name: 'todo',
      url: 'stdio:todo',
      config: { transport: 'stdio', command: 'todo', args: [], cwd: null, env: {} },
    });
    const { suites, close } = open(database);
    const { id } = await suites.import(
      { fileName: 'large.json', text: suiteText(undefined, 300), replace: false },
      options,
    );
    const others = suiteText((cases) => {
      for (const each of cases) each.query += ' today';
    }, 300);
    await suites.import(
      { fileName: 'large.json', text: others, replace: false, into: id },
      options,
    );
    const stored = database.store.testCases.listBySuite(id);
    expect(stored.map(({ key, position }) => [key, position])).toEqual(
      Array.from({ length: 600 }, (_, at) => [at < 300 ? `c${at}` : `c${at - 300}-2`, at]),
    );
    expect([stored[1], stored[301], stored[302]].map((each) => each?.servers)).toEqual([
      [],
      ['todo'],
      ['todo', 'other'],
    ]);
    expect(
      database.db.prepare<[], number>('SELECT count(*) FROM test_case_mcp_servers').pluck().get(),
    ).toBe(2 * 300);
    await close();
  });

  test('writes nothing when it is aborted, and imports once when two imports race', async () => {
    using database = createTestDatabase();
    const { suites, settled, close } = open(database);
    const stop = new AbortController();
    const importing = suites.import(
      { fileName: 'large.json', text: suiteText(), replace: false },
      { signal: stop.signal },
    );
    stop.abort(new Error('enough'));
    await expect(importing).rejects.toThrow('enough');
    expect(await suites.list()).toEqual([]);
    const twice = await Promise.allSettled(
      [1, 2].map(() =>
        suites.import({ fileName: 'large.json', text: suiteText(), replace: false }, options),
      ),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT' },
    });
    expect(await suites.list()).toMatchObject([{ name: 'large', caseCount: count }]);
    await settled();
    expect(hiddenSuites(database)).toBe(0);
    expect(storedCases(database)).toBe(count);
    await close();
  });

  test.each<[string, string, RegExp]>([
    [
      'a duplicate id',
      suiteText((cases) => {
        cases[1_500]!.id = 'c3';
      }),
      /already has the ID "c3"/,
    ],
    [
      'a case without a query',
      suiteText((cases) => {
        cases[1_500]!.query = '';
      }),
      /can’t be empty/,
    ],
    [
      'a duplicate name',
      suiteText().replace('"version":1', '"version":1,"version":1'),
      /twice|already has/i,
    ],
  ])('T64: rejects %s in a large file and gives the place', async (_what, text, said) => {
    using database = createTestDatabase();
    const { suites, close } = open(database);
    const preview = await suites.previewImport({ fileName: 'large.json', text }, options);
    expect(preview.problems[0]).toMatchObject({
      line: 1,
      message: expect.stringMatching(said) as unknown,
    });
    await expect(
      suites.import({ fileName: 'large.json', text, replace: false }, options),
    ).rejects.toMatchObject({ code: 'INVALID' });
    expect(await suites.list()).toEqual([]);
    await close();
  });
});
