import { kindsByModel, kindsThatRead } from '../../../src-shared/domain/checkKinds.ts';
import { suite, type Suite } from '../../../src-shared/domain/testCase.ts';
import { namingConflicts, notFound } from '../database/conflict.ts';
import { readRow, requireRow } from '../database/row.ts';
import { textList, defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

type NewSuite = Pick<Suite, 'name' | 'system' | 'messages' | 'servers' | 'argumentsMode'> & {
  /** Left out: an update keeps it. */
  folder?: string | null | undefined;
};

export interface SuiteStore {
  /** Ordered by name. */
  list(): Suite[];
  get(id: string): Suite | null;
  getByName(name: string): Suite | null;
  insert(content: NewSuite): Suite;
  update(id: string, content: NewSuite): Suite;
  /**
   * Also deletes the suite's cases and tasks: read them first if they may be restored. NOT_FOUND
   * where there is none.
   */
  delete(id: string): Suite;
  /** Restores a deleted suite without its cases and tasks. CONFLICT where its name has been taken since. */
  restore(suite: Suite): void;
}

const table = defineTable('suites', {
  id: 'text',
  name: 'text',
  system: 'text?',
  messages: 'json',
  servers: 'json',
  argumentsMode: 'text?',
  folder: 'text?',
  createdAt: 'text',
  updatedAt: 'text',
});
type SuiteRow = Row<typeof table>;
type Counts = Pick<
  Suite,
  'caseCount' | 'taskCount' | 'judgedTaskCount' | 'executedTaskCount' | 'simulatedTaskCount'
>;
type CountedRow = SuiteRow & Counts;

/** The number of tasks of a suite with a check of one of these kinds. */
const tasksWith = (kinds: readonly string[]): string =>
  `(SELECT count(*) FROM tasks t WHERE t.suite_id = s.id AND EXISTS (
    SELECT 1 FROM json_each(t.content, '$.checks') WHERE value ->> '$.kind' IN (${textList(kinds)})
  ))`;

const select = `SELECT ${table.columnsOf('s')},
  (SELECT count(*) FROM test_cases c WHERE c.suite_id = s.id) AS caseCount,
  (SELECT count(*) FROM tasks t WHERE t.suite_id = s.id) AS taskCount,
  ${tasksWith(kindsByModel)} AS judgedTaskCount,
  ${tasksWith(kindsThatRead)} AS executedTaskCount,
  (SELECT count(*) FROM tasks t WHERE t.suite_id = s.id AND t.content ->> '$.user' IS NOT NULL)
    AS simulatedTaskCount FROM suites s`;

export function openSuites({ db, clock, nextId, transaction }: StoreContext): SuiteStore {
  const all = db.prepare<[], CountedRow>(`${select} ORDER BY s.name COLLATE NOCASE, s.name`);
  const byId = db.prepare<[string], CountedRow>(`${select} WHERE s.id = ?`);
  const byName = db.prepare<[string], CountedRow>(`${select} WHERE s.name = ?`);
  const insert = db.prepare<[SuiteRow]>(table.insert());
  const update = db.prepare<[SuiteRow]>(
    `UPDATE suites SET ${table.assignmentsExcept('id', 'createdAt')} WHERE id = :id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM suites WHERE id = ?');
  const unlinkCases = db.prepare<[string]>(
    `DELETE FROM test_case_mcp_servers WHERE test_case_id IN (
       SELECT id FROM test_cases WHERE suite_id = ? AND servers = '[]')`,
  );
  const linkCases = db.prepare<[string]>(
    `INSERT INTO test_case_mcp_servers (test_case_id, mcp_server_id)
     SELECT DISTINCT c.id, m.id FROM suites u JOIN test_cases c ON c.suite_id = u.id AND c.servers = '[]'
     JOIN json_each(u.servers) j JOIN mcp_servers m ON m.name = j.value WHERE u.id = ?`,
  );

  const read = (row: CountedRow | undefined) => (row === undefined ? null : readSuite(row));
  const save = (
    statement: typeof insert,
    value: Omit<Suite, keyof Counts | 'folder'> & Pick<NewSuite, 'folder'>,
  ) => {
    namingConflicts(
      `The suite ${value.name}`,
      {
        'suites.name': () => ({
          thing: `The suite ${value.name}`,
          cause: 'Another suite has this name.',
          nextStep: 'Choose another name.',
          field: 'name',
        }),
        'suites.id': () => ({
          thing: `The suite ${value.name}`,
          cause: 'It is there already.',
          nextStep: 'Reload the list.',
        }),
      },
      () => {
        const { argumentsMode = null, folder = null } = value;
        statement.run(table.toRow({ ...value, argumentsMode, folder }));
      },
    );
    return readSuite(requireRow(byId.get(value.id)));
  };

  return {
    list: () => all.all().map(readSuite),
    get: (id) => read(byId.get(id)),
    getByName: (name) => read(byName.get(name)),
    insert: (content) =>
      transaction(() => {
        const at = clock.now();
        return save(insert, { ...content, id: nextId(), createdAt: at, updatedAt: at });
      }),
    update: (id, content) =>
      transaction(() => {
        const old = byId.get(id);
        if (old === undefined) throw notFound('Suite', id);
        const times = { createdAt: old.createdAt, updatedAt: clock.now() };
        const { folder = old.folder } = content;
        const saved = save(update, { ...content, folder, id, ...times });
        // Cases without servers of their own have those of the suite.
        unlinkCases.run(id);
        linkCases.run(id);
        return saved;
      }),
    delete: (id) =>
      transaction(() => {
        const old = read(byId.get(id));
        if (old === null) throw notFound('Suite', id);
        remove.run(id);
        return old;
      }),
    restore: (value) =>
      transaction(() => {
        save(insert, value);
      }),
  };
}

function readSuite(row: CountedRow): Suite {
  return readRow(suite, `The suite ${row.name} (${row.id})`, () => ({
    ...table.fromRow(row),
    argumentsMode: row.argumentsMode ?? undefined,
    folder: row.folder ?? undefined,
    caseCount: row.caseCount,
    taskCount: row.taskCount,
    judgedTaskCount: row.judgedTaskCount,
    executedTaskCount: row.executedTaskCount,
    simulatedTaskCount: row.simulatedTaskCount,
  }));
}
