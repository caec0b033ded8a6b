import { suiteTask, type SuiteTask } from '../../../src-shared/domain/task.ts';
import { namingConflicts, notFound, readRow, defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** A task on its way into a suite; `key` is its id in the suite file. */
export type NewTask = Pick<SuiteTask, 'key' | 'content'>;

const table = defineTable('tasks', {
  id: 'text',
  suiteId: 'text',
  key: 'text',
  position: 'integer',
  content: 'json',
  createdAt: 'text',
  updatedAt: 'text',
});
type TaskRow = Row<typeof table>;

/** A suite that was removed is hidden, until it is deleted. */
const isShown = 'suite_id IN (SELECT id FROM suites WHERE hidden = 0)';

/** The tasks of suites. They are deleted with their suite. */
export function openTasks({ db, clock, nextId, transaction }: StoreContext) {
  const bySuite = db.prepare<[string], TaskRow>(
    `SELECT ${table.columns} FROM tasks WHERE suite_id = ? AND ${isShown} ORDER BY position, key`,
  );
  const keysOf = db.prepare<[string], string>('SELECT key FROM tasks WHERE suite_id = ?').pluck();
  const lastPosition = db
    .prepare<[string], number>('SELECT coalesce(max(position), -1) FROM tasks WHERE suite_id = ?')
    .pluck();
  const byId = db.prepare<[string], TaskRow>(`SELECT ${table.columns} FROM tasks
    WHERE id = ? AND ${isShown}`);
  const remove = db.prepare<[string]>('DELETE FROM tasks WHERE id = ?');
  const update = db.prepare<[TaskRow]>(
    `UPDATE tasks SET ${table.assignmentsExcept('id', 'suiteId', 'createdAt')} WHERE id = :id`,
  );
  const clear = db.prepare<[string]>('DELETE FROM tasks WHERE suite_id = ?');
  const insert = db.prepare<[TaskRow]>(table.insert());
  const naming = db.prepare<[string], TaskRow>(
    `SELECT ${table.columns} FROM tasks WHERE instr(content, ?)`,
  );
  const setContent = db.prepare<[string, string, string]>(
    'UPDATE tasks SET content = ?, updated_at = ? WHERE id = ?',
  );

  const listBySuite = (suiteId: string): SuiteTask[] => bySuite.all(suiteId).map(readTask);
  const get = (id: string): SuiteTask | null => {
    const row = byId.get(id);
    return row === undefined ? null : readTask(row);
  };
  const save = (value: SuiteTask, statement = insert): SuiteTask => {
    namingConflicts(
      `The task ${value.key}`,
      {
        'tasks.suite_id, tasks.key': () => ({
          thing: `The task ${value.key}`,
          cause: 'Another task of the suite has this ID.',
          nextStep: 'Give it another ID.',
          field: 'key',
        }),
        'foreign key': () => ({
          thing: `The suite of the task ${value.key}`,
          cause: "It doesn't exist.",
          nextStep: 'Restore the suite first.',
        }),
      },
      () => statement.run(table.toRow(value)),
    );
    return value;
  };
  /** A task whose key existed before keeps its id and its time of creation. */
  const add = (
    suiteId: string,
    tasks: readonly NewTask[],
    old: readonly SuiteTask[],
  ): SuiteTask[] => {
    const first = (lastPosition.get(suiteId) ?? -1) + 1;
    const at = clock.now();
    const oldByKey = new Map(old.map((each) => [each.key, each]));
    return tasks.map(({ key, content }, index) => {
      const before = oldByKey.get(key);
      return save({
        id: before?.id ?? nextId(),
        suiteId,
        key,
        position: first + index,
        content,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      });
    });
  };

  return {
    /** In their order. */
    listBySuite,
    keys: (suiteId: string): string[] => keysOf.all(suiteId),
    /** Adds tasks after those that the suite has. */
    append: (suiteId: string, tasks: readonly NewTask[]): SuiteTask[] =>
      transaction(() => add(suiteId, tasks, [])),
    get,
    update: (id: string, { key, content }: NewTask): SuiteTask =>
      transaction(() => {
        const old = get(id);
        if (old === null) throw notFound('Task', id);
        return save({ ...old, key, content, updatedAt: clock.now() }, update);
      }),
    /** Returns the deleted tasks, for `restore`. Unknown ids are ignored. */
    deleteMany: (ids: readonly string[]): SuiteTask[] =>
      transaction(() =>
        ids.flatMap((id) => {
          const old = get(id);
          if (old === null) return [];
          remove.run(id);
          return [old];
        }),
      ),
    /** The suite then holds exactly these, in this order. */
    replaceIn: (suiteId: string, tasks: readonly NewTask[]): void =>
      transaction(() => {
        const old = listBySuite(suiteId);
        clear.run(suiteId);
        add(suiteId, tasks, old);
      }),
    /** Restores deleted tasks. CONFLICT where their key has been taken since. */
    restore: (tasks: readonly SuiteTask[]): void =>
      transaction(() => {
        for (const task of tasks) save(task);
      }),
    /** Changes every task whose text has `needle`. */
    candidate(
      needle: string,
      at: string,
      change: (content: SuiteTask['content']) => unknown,
    ): void {
      for (const row of naming.all(needle))
        setContent.run(JSON.stringify(change(readTask(row).content)), at, row.id);
    },
  };
}

function readTask(row: TaskRow): SuiteTask {
  return readRow(suiteTask, `The task ${row.key} (${row.id})`, () => table.fromRow(row));
}
