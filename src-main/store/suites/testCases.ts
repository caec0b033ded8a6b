import {
  alternatives,
  testCase,
  type CaseContent,
  type CaseOrigin,
  type ExpectedCall,
  type TestCase,
} from '../../../src-shared/domain/testCase.ts';
import { namingConflicts, notFound } from '../database/conflict.ts';
import { json, readRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

/**
 * A case before the store has given it an id, a place and its times. Without an `origin` it keeps
 * the one that it has.
 */
export type NewTestCase = CaseContent & { key: string; origin?: CaseOrigin | null };

export interface TestCaseStore {
  /** In the order of the suite. */
  listBySuite(suiteId: string): TestCase[];
  /**
   * The same for a long suite: as it is now, with turns for everybody else while its rows are read.
   */
  readBySuite(suiteId: string, turn: () => Promise<void> | undefined): Promise<TestCase[]>;
  get(id: string): TestCase | null;
  /** The keys of all cases of a suite. */
  keys(suiteId: string): string[];
  /** A key that no case of the suite has: `wish` itself, else with a number behind it. */
  freeKey(suiteId: string, wish: string): string;
  /** Appends to the suite, all or none. */
  insertMany(suiteId: string, cases: readonly NewTestCase[]): TestCase[];
  update(id: string, content: NewTestCase): TestCase;
  /** Returns the deleted cases, for `restore`. Unknown ids are passed over. */
  deleteMany(ids: readonly string[]): TestCase[];
  /** Puts deleted cases back as they were; CONFLICT where their place has been taken since. */
  restore(cases: readonly TestCase[]): void;
}

interface TestCaseRow {
  id: string;
  suite_id: string;
  key: string;
  position: number;
  name: string;
  query: string;
  expected_calls: string;
  order_dependent: number;
  allowed_calls: string;
  stub_results: string;
  tags: string;
  servers: string;
  origin: string | null;
  created_at: string;
  updated_at: string;
}

type TestCaseValues = TestCaseRow & {
  expected_mcp_server_name: string | null;
  expected_tool_name: string | null;
  expected_parameters: string | null;
};

/** All columns of a case. */
export const caseColumns = [
  'id',
  'suite_id',
  'key',
  'position',
  'name',
  'query',
  'expected_mcp_server_name',
  'expected_tool_name',
  'expected_parameters',
  'expected_calls',
  'order_dependent',
  'allowed_calls',
  'stub_results',
  'tags',
  'servers',
  'origin',
  'created_at',
  'updated_at',
] as const;

const written = `key = :key, position = :position, name = :name, query = :query, expected_mcp_server_name = :expected_mcp_server_name,
  expected_tool_name = :expected_tool_name, expected_parameters = :expected_parameters, expected_calls = :expected_calls,
  order_dependent = :order_dependent, allowed_calls = :allowed_calls, stub_results = :stub_results, tags = :tags, servers = :servers,
  origin = :origin, updated_at = :updated_at`;

export function openTestCases({ db, clock, nextId, transaction }: StoreContext): TestCaseStore {
  const bySuite = db.prepare<[string], TestCaseRow>(
    'SELECT * FROM test_cases WHERE suite_id = ? ORDER BY position, key',
  );
  const byId = db.prepare<[string], TestCaseRow>('SELECT * FROM test_cases WHERE id = ?');
  const lastPosition = db
    .prepare<[string], number>(
      'SELECT coalesce(max(position), -1) FROM test_cases WHERE suite_id = ?',
    )
    .pluck();
  const keysOf = db
    .prepare<[string], string>('SELECT key FROM test_cases WHERE suite_id = ?')
    .pluck();
  const keyTaken = db
    .prepare<[string, string], number>('SELECT 1 FROM test_cases WHERE suite_id = ? AND key = ?')
    .pluck();
  const insert = db.prepare<[TestCaseValues]>(
    `INSERT INTO test_cases (${caseColumns.join(', ')}) VALUES (${caseColumns.map((name) => `:${name}`).join(', ')})`,
  );
  const update = db.prepare<[TestCaseValues]>(`UPDATE test_cases SET ${written} WHERE id = :id`);
  const remove = db.prepare<[string]>('DELETE FROM test_cases WHERE id = ?');
  const unlink = db.prepare<[string]>('DELETE FROM test_case_mcp_servers WHERE test_case_id = ?');
  const link = db.prepare<
    [string, string]
  >(`INSERT INTO test_case_mcp_servers (test_case_id, mcp_server_id)
    SELECT ?, id FROM mcp_servers WHERE name IN (SELECT value FROM json_each(?))`);

  const get = (id: string) => {
    const row = byId.get(id);
    return row === undefined ? null : readTestCase(row);
  };

  /** Writes a case together with its links to the registered servers. */
  const save = (statement: typeof insert, value: TestCase) => {
    const row = toRow(value);
    namingConflicts(
      `The case ${value.name}`,
      {
        'test_cases.suite_id, test_cases.key': () => ({
          thing: `The case ${value.key}`,
          cause: 'Another case of the suite has this id.',
          nextStep: 'Give it another id.',
          field: 'key',
        }),
        'test_cases.id': () => ({
          thing: `The case ${value.name}`,
          cause: 'It is there already.',
          nextStep: 'Reload the list.',
        }),
        'foreign key': () => ({
          thing: `The suite of the case ${value.name}`,
          cause: 'It does not exist (any more).',
          nextStep: 'Restore the suite first.',
        }),
      },
      () => statement.run(row),
    );
    if (statement !== insert) unlink.run(value.id);
    if (value.servers.length > 0) link.run(value.id, row.servers);
    return value;
  };

  const add = (suiteId: string, position: number, content: NewTestCase) => {
    return save(insert, newCase(content, { id: nextId(), suiteId, position, at: clock.now() }));
  };

  const change = (old: TestCase, position: number, content: NewTestCase) =>
    save(update, { ...old, ...pick(content), position, updatedAt: clock.now() });

  return {
    listBySuite: (suiteId) => bySuite.all(suiteId).map(readTestCase),
    async readBySuite(suiteId, turn) {
      const cases: TestCase[] = [];
      for (const row of bySuite.all(suiteId)) {
        cases.push(readTestCase(row));
        await turn();
      }
      return cases;
    },
    get,
    keys: (suiteId) => keysOf.all(suiteId),
    freeKey(suiteId, wish) {
      let key = wish;
      for (let number = 2; keyTaken.get(suiteId, key) !== undefined; number += 1)
        key = `${wish}-${number}`;
      return key;
    },
    insertMany: (suiteId, cases) =>
      transaction(() => {
        const first = (lastPosition.get(suiteId) ?? -1) + 1;
        return cases.map((content, index) => add(suiteId, first + index, content));
      }),
    update: (id, content) =>
      transaction(() => {
        const old = get(id);
        if (old === null) throw notFound('Case', id);
        return change(old, old.position, content);
      }),
    deleteMany: (ids) =>
      transaction(() =>
        ids.flatMap((id) => {
          const old = get(id);
          if (old === null) return [];
          remove.run(id);
          return [old];
        }),
      ),
    restore: (cases) =>
      transaction(() => {
        for (const value of cases) save(insert, value);
      }),
  };
}

/** A case as it begins. */
export function newCase(
  content: NewTestCase,
  { id, suiteId, position, at }: { id: string; suiteId: string; position: number; at: string },
): TestCase {
  return { origin: null, ...pick(content), id, suiteId, position, createdAt: at, updatedAt: at };
}

/** What a case holds besides its identity; nothing more is taken over from the caller's object. */
function pick(content: NewTestCase): NewTestCase {
  const {
    name,
    query,
    tags,
    servers,
    stubResults,
    expectedCalls,
    orderDependent,
    allowedCalls,
    key,
    origin,
  } = content;
  return {
    name,
    query,
    tags,
    servers,
    stubResults,
    expectedCalls,
    orderDependent,
    allowedCalls,
    key,
    ...(origin !== undefined && { origin }),
  };
}

function readTestCase(row: TestCaseRow): TestCase {
  return readRow(testCase, `The case ${row.name} (${row.id})`, () => ({
    id: row.id,
    suiteId: row.suite_id,
    key: row.key,
    position: row.position,
    name: row.name,
    query: row.query,
    expectedCalls: json(row.expected_calls),
    orderDependent: row.order_dependent === 1,
    allowedCalls: json(row.allowed_calls),
    stubResults: json(row.stub_results),
    tags: json(row.tags),
    servers: json(row.servers),
    origin: row.origin === null ? null : json(row.origin),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

export function toRow(value: TestCase): TestCaseValues {
  return {
    id: value.id,
    suite_id: value.suiteId,
    key: value.key,
    position: value.position,
    name: value.name,
    query: value.query,
    ...firstExpected(value.expectedCalls),
    expected_calls: JSON.stringify(value.expectedCalls),
    order_dependent: value.orderDependent ? 1 : 0,
    allowed_calls: JSON.stringify(value.allowedCalls),
    stub_results: JSON.stringify(value.stubResults),
    tags: JSON.stringify(value.tags),
    servers: JSON.stringify(value.servers),
    origin: value.origin === null ? null : JSON.stringify(value.origin),
    created_at: value.createdAt,
    updated_at: value.updatedAt,
  };
}

/**
 * The three columns of the first call, of its first alternative where several are right; null when
 * no tool should be called. docs/rules.md §2.
 */
export function firstExpected(calls: readonly ExpectedCall[]) {
  const call = calls[0];
  const tool = call === undefined ? undefined : alternatives(call)[0];
  return {
    expected_mcp_server_name: tool?.server ?? null,
    expected_tool_name: tool?.tool ?? null,
    expected_parameters: call?.parameters === undefined ? null : JSON.stringify(call.parameters),
  };
}
