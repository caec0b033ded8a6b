import { type YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import {
  rightCalls,
  testCase,
  type CaseContent,
  type CaseOrigin,
  type ExpectedCall,
  type TestCase,
} from '../../../src-shared/domain/testCase.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { namingConflicts, notFound, readRow } from '../database/table.ts';
import { caseTable, shownColumns, type TestCaseRow } from './caseTable.ts';
import { readInParts } from './readInParts.ts';
import { rowsWithId, shownCases, shownId } from './shownCases.ts';
import type { StoreContext } from '../storeContext.ts';

/**
 * A case before the store has given it an id, a position and its times. Without an `origin` it
 * keeps the one that it has.
 */
export type NewTestCase = CaseContent & {
  key: string;
  origin?: CaseOrigin | null;
  note?: string | undefined;
};

export interface TestCaseStore {
  /** In the order of the suite. */
  listBySuite(suiteId: string): TestCase[];
  /** The same for a long suite, as it is at one moment. Yields to the event loop between rows. */
  readBySuite(suiteId: string, yieldIfDue: YieldIfDue): Promise<TestCase[]>;
  /** The rows of a long suite, as it is at one moment; null if others change it all the time. */
  readRows(suiteId: string, yieldIfDue: YieldIfDue): Promise<TestCaseRow[] | null>;
  /** From now on, tells whether the cases of a suite are still the same, in the same rows. */
  watch(suiteId: string): () => boolean;
  /** Whether cases are being read in parts now: moves wait for that. */
  isRead(): boolean;
  get(id: string): TestCase | null;
  /** The keys of all cases of a suite. */
  keys(suiteId: string): string[];
  /** A key that no case or task of the suite has: `wish`, or else with a number appended. */
  freeKey(suiteId: string, wish: string): string;
  /** Appends to the suite, all or none. */
  insertMany(suiteId: string, cases: readonly NewTestCase[]): TestCase[];
  update(id: string, content: NewTestCase): TestCase;
  /** Returns the deleted cases, for `restore`. Unknown ids are ignored. */
  deleteMany(ids: readonly string[]): TestCase[];
  /** Restores deleted cases. CONFLICT where their key has been taken since. */
  restore(cases: readonly TestCase[]): void;
}

const shownRow = `(SELECT c.rowid FROM ${shownCases} WHERE ${rowsWithId})`;

export function openTestCases({ db, clock, nextId, transaction }: StoreContext): TestCaseStore {
  const bySuite = db.prepare<[string], TestCaseRow>(
    `SELECT ${shownColumns} FROM ${shownCases} WHERE h.shown_in = ? ORDER BY c.position, c.key`,
  );
  const inParts = readInParts(db);
  const byId = db.prepare<[{ id: string }], TestCaseRow>(
    `SELECT ${shownColumns} FROM ${shownCases} WHERE ${rowsWithId}`,
  );
  const lastPosition = db
    .prepare<[string], number>(
      `SELECT coalesce(max(c.position), -1) FROM ${shownCases} WHERE h.shown_in = ?`,
    )
    .pluck();
  const keysOf = db
    .prepare<[string], string>(`SELECT c.key FROM ${shownCases} WHERE h.shown_in = ?`)
    .pluck();
  const caseWithKey = db
    .prepare<[string, string], string>(
      `SELECT ${shownId} FROM ${shownCases} WHERE h.shown_in = ? AND c.key = ?`,
    )
    .pluck();
  const taskWithKey = db
    .prepare<[string, string], number>('SELECT 1 FROM tasks WHERE suite_id = ? AND key = ?')
    .pluck();
  /** The row of suites that holds new cases of a suite. */
  const holderOf = db
    .prepare<[string], string>(
      `SELECT h.id FROM suites h JOIN suites u ON u.id = h.shown_in AND u.hidden = 0
       WHERE h.shown_in = ? ORDER BY h.id = u.id DESC LIMIT 1`,
    )
    .pluck();
  const insert = db.prepare<[TestCaseRow]>(caseTable.insert());
  const update = db.prepare<[TestCaseRow]>(
    `UPDATE test_cases SET ${caseTable.assignmentsExcept('id', 'suiteId', 'createdAt')}
     WHERE rowid = ${shownRow}`,
  );
  const remove = db.prepare<[{ id: string }]>(`DELETE FROM test_cases WHERE rowid = ${shownRow}`);

  /** Counts what this program changes; no other one writes to the workspace meanwhile. */
  let changes = 0;

  const get = (id: string) => {
    const row = byId.get({ id });
    return row === undefined ? null : readTestCase(row);
  };

  const save = (statement: typeof insert, value: TestCase) => {
    changes += 1;
    const { id, key, name } = value;
    const holder = holderOf.get(value.suiteId);
    if (holder === undefined)
      throw new ServiceError('CONFLICT', {
        thing: `The suite of the case ${name}`,
        cause: "It doesn't exist.",
        nextStep: 'Restore the suite first.',
      });
    // Not left to the database: several rows of suites may hold the cases of one.
    const other = caseWithKey.get(value.suiteId, key);
    if (other !== undefined && (statement === insert || other !== id))
      throw new ServiceError('CONFLICT', {
        thing: `The case ${key}`,
        cause: 'Another case of the suite has this id.',
        nextStep: 'Give it another id.',
        field: 'key',
      });
    namingConflicts(
      `The case ${name}`,
      {
        'test_cases.id': () => ({
          thing: `The case ${name}`,
          cause: 'It is there already.',
          nextStep: 'Reload the list.',
        }),
      },
      () => statement.run({ ...toRow(value), suiteId: holder }),
    );
    return value;
  };

  const add = (suiteId: string, position: number, content: NewTestCase) => {
    return save(insert, newCase(content, { id: nextId(), suiteId, position, at: clock.now() }));
  };

  const change = (old: TestCase, position: number, content: NewTestCase) =>
    save(update, { ...old, ...pick(content), position, updatedAt: clock.now() });

  return {
    listBySuite: (suiteId) => bySuite.all(suiteId).map(readTestCase),
    async readBySuite(suiteId, yieldIfDue) {
      const whole = await inParts.read(suiteId, readTestCase, yieldIfDue);
      if (whole !== null) return whole;
      const cases: TestCase[] = [];
      for (const row of bySuite.all(suiteId)) {
        cases.push(readTestCase(row));
        await yieldIfDue();
      }
      return cases;
    },
    readRows: (suiteId, yieldIfDue) => inParts.read(suiteId, (row) => row, yieldIfDue),
    watch(suiteId) {
      const before = [changes, inParts.stateOf(suiteId)];
      return () => changes === before[0] && inParts.stateOf(suiteId) === before[1];
    },
    isRead: () => inParts.isRead(),
    get,
    keys: (suiteId) => keysOf.all(suiteId),
    freeKey(suiteId, wish) {
      let key = wish;
      const isTaken = (): boolean =>
        (caseWithKey.get(suiteId, key) ?? taskWithKey.get(suiteId, key)) !== undefined;
      for (let number = 2; isTaken(); number += 1) key = `${wish}-${number}`;
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
          changes += 1;
          remove.run({ id });
          return [old];
        }),
      ),
    restore: (cases) =>
      transaction(() => {
        for (const value of cases) save(insert, value);
      }),
  };
}

/** A new case with its identity and times. */
export function newCase(
  content: NewTestCase,
  { id, suiteId, position, at }: { id: string; suiteId: string; position: number; at: string },
): TestCase {
  return { origin: null, ...pick(content), id, suiteId, position, createdAt: at, updatedAt: at };
}

const identity = new Set(['id', 'suiteId', 'position', 'createdAt', 'updatedAt']);
const contentFields = testCase.keyof().options.filter((name) => !identity.has(name));

/** What a case holds besides its identity. Other properties of the caller's object are dropped. */
const pick = (content: NewTestCase): NewTestCase =>
  Object.fromEntries(
    contentFields
      .filter((name) => name !== 'origin' || content.origin !== undefined)
      .map((name) => [name, content[name as keyof NewTestCase]]),
  ) as NewTestCase;

function readTestCase(row: TestCaseRow): TestCase {
  return readRow(testCase, `The case ${row.name} (${row.id})`, () => {
    const { argumentsMode, system, messages, note, ...value } = caseTable.fromRow(row);
    return {
      ...value,
      ...(argumentsMode !== null && { argumentsMode }),
      ...(system !== null && { system }),
      ...(messages !== null && { messages }),
      ...(note !== null && { note }),
    };
  });
}

export function toRow(value: TestCase): TestCaseRow {
  return caseTable.toRow({
    ...value,
    ...firstExpected(value.expectedCalls),
    argumentsMode: value.argumentsMode ?? null,
    system: value.system ?? null,
    messages: value.messages ?? null,
    note: value.note ?? null,
  });
}

/**
 * The three columns of the first call, or of its first alternative where several are right. Null
 * where no tool should be called. docs/rules.md §2.
 */
export function firstExpected(calls: readonly ExpectedCall[]) {
  const call = calls[0];
  const first = call === undefined ? undefined : rightCalls(call)[0];
  return {
    expectedMcpServerName: first?.server ?? null,
    expectedToolName: first?.tool ?? null,
    expectedParameters: first?.parameters ?? null,
  };
}
