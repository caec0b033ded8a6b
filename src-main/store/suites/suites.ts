import { kindsByModel, kindsThatRead } from '../../../src-shared/domain/checkKinds.ts';
import { suite, type Suite } from '../../../src-shared/domain/testCase.ts';
import {
  namingConflicts,
  notFound,
  readRow,
  requireRow,
  textList,
  defineTable,
  type Row,
} from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

type NewSuite = Pick<Suite, 'name' | 'system' | 'messages' | 'servers' | 'argumentsMode'> & {
  /** Left out: an update keeps it. */
  folder?: string | null | undefined;
};

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
  (SELECT count(*) FROM suites h JOIN test_cases c ON c.suite_id = h.id WHERE h.shown_in = s.id)
    AS caseCount,
  (SELECT count(*) FROM tasks t WHERE t.suite_id = s.id) AS taskCount,
  ${tasksWith(kindsByModel)} AS judgedTaskCount,
  ${tasksWith(kindsThatRead)} AS executedTaskCount,
  (SELECT count(*) FROM tasks t WHERE t.suite_id = s.id AND t.content ->> '$.user' IS NOT NULL)
    AS simulatedTaskCount FROM suites s WHERE s.hidden = 0`;

export function openSuites({ db, clock, nextId, transaction }: StoreContext) {
  const all = db.prepare<[], CountedRow>(`${select} ORDER BY s.name COLLATE NOCASE, s.name`);
  const byId = db.prepare<[string], CountedRow>(`${select} AND s.id = ?`);
  const byName = db.prepare<[string], CountedRow>(`${select} AND s.name = ?`);
  const insert = db.prepare<[SuiteRow]>(table.insert());
  const update = db.prepare<[SuiteRow]>(
    `UPDATE suites SET ${table.assignmentsExcept('id', 'createdAt')} WHERE id = :id`,
  );
  const reveal = db.prepare<[SuiteRow]>(
    `UPDATE suites SET ${table.assignmentsExcept('id')}, hidden = 0, shown_in = id WHERE id = :id`,
  );
  const hide = db.prepare<[string]>('UPDATE suites SET hidden = 1, name = id WHERE id = ?');
  const restore = db.prepare<[Pick<Suite, 'id' | 'name'>]>(
    'UPDATE suites SET hidden = 0, name = :name WHERE id = :id AND hidden = 1',
  );

  const read = (row: CountedRow | undefined) => (row === undefined ? null : readSuite(row));
  const uniqueName = <T>(name: string, work: () => T): T =>
    namingConflicts(
      `The suite ${name}`,
      {
        'suites.name': () => ({
          thing: `The suite ${name}`,
          cause: 'Another suite has this name.',
          nextStep: 'Choose another name.',
          field: 'name',
        }),
      },
      work,
    );
  const save = (
    statement: typeof insert,
    value: Omit<Suite, keyof Counts | 'folder'> & Pick<NewSuite, 'folder'>,
  ) => {
    const { argumentsMode = null, folder = null } = value;
    uniqueName(value.name, () => statement.run(table.toRow({ ...value, argumentsMode, folder })));
    return readSuite(requireRow(byId.get(value.id)));
  };

  return {
    /** Ordered by name. */
    list: (): Suite[] => all.all().map(readSuite),
    get: (id: string): Suite | null => read(byId.get(id)),
    getByName: (name: string): Suite | null => read(byName.get(name)),
    /** With `holder`, the hidden suite with this id becomes the new one, with its cases. */
    insert: (content: NewSuite, holder?: string): Suite =>
      transaction(() => {
        const at = clock.now();
        const times = { createdAt: at, updatedAt: at };
        return holder === undefined
          ? save(insert, { ...content, id: nextId(), ...times })
          : save(reveal, { ...content, id: holder, ...times });
      }),
    update: (id: string, content: NewSuite): Suite =>
      transaction(() => {
        const old = byId.get(id);
        if (old === undefined) throw notFound('Suite', id);
        const times = { createdAt: old.createdAt, updatedAt: clock.now() };
        const { folder = old.folder } = content;
        return save(update, { ...content, folder, id, ...times });
      }),
    /**
     * Hides a suite with all that it has, until it is restored or the store gives up what is hidden.
     * NOT_FOUND where there is none.
     */
    hide: (id: string): Suite =>
      transaction(() => {
        const old = read(byId.get(id));
        if (old === null) throw notFound('Suite', id);
        hide.run(id);
        return old;
      }),
    /** Restores a hidden suite. CONFLICT where its name has been taken since. */
    restore: (value: Pick<Suite, 'id' | 'name'>): void =>
      transaction(() => {
        const { id, name } = value;
        const { changes } = uniqueName(name, () => restore.run({ id, name }));
        if (changes === 0) throw notFound('Suite', id);
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
