import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { suiteTask, type SuiteTask } from '../../../src-shared/domain/task.ts';
import { notFound } from '../../store/database/table.ts';
import type { NewTask } from '../../store/suites/tasks.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { findSuite } from './findSuite.ts';
import { requireFreeKey } from './reserveKey.ts';
import { slug } from '../files/safeFileName.ts';
import { toFileTask } from './taskFileCodec.ts';
import { checkTaskContent } from './taskProblems.ts';

const deletedTasks = z.object({ tasks: z.array(suiteTask) });

/** Changes the tasks of a suite. Each change is one transaction. */
export class SuiteTasks {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  create({ suiteId, key, content }: Input<'suites', 'createTask'>): SuiteTask {
    return this.#store.transaction(() => {
      findSuite(this.#store, suiteId);
      if (key !== undefined) requireFreeKey(this.#store, suiteId, key);
      return this.#append(suiteId, { key: key ?? slug(content.name, 'task'), content });
    });
  }

  update({ id, key, content }: Input<'suites', 'updateTask'>): SuiteTask {
    return this.#store.transaction(() => {
      const old = this.#get(id);
      if (key !== undefined && key !== old.key) requireFreeKey(this.#store, old.suiteId, key);
      requireValidContent(content);
      return this.#store.tasks.update(id, { key: key ?? old.key, content });
    });
  }

  remove({ ids }: Input<'suites', 'removeTasks'>): Output<'suites', 'removeTasks'> {
    return this.#store.transaction(() => {
      const tasks = this.#store.tasks.deleteMany(ids);
      const [first] = tasks;
      if (first === undefined) throw notFound('Task', ids.join(', '));
      const what =
        tasks.length === 1 ? `Task ${first.content.name}` : counted(tasks.length, 'task');
      const token = this.#store.trash.put({ kind: 'tasks', title: what, content: { tasks } });
      return { token, what };
    });
  }

  duplicate({ ids }: Input<'suites', 'duplicateTasks'>): SuiteTask[] {
    return this.#store.transaction(() =>
      ids.map((id) => {
        const { suiteId, key, content } = this.#get(id);
        const copy = { ...content, name: `${content.name} (copy)` };
        return this.#append(suiteId, { key, content: copy });
      }),
    );
  }

  /** Undoes `remove`. Call it inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#store.tasks.restore(deletedTasks.parse(content).tasks);
  }

  #get(id: string): SuiteTask {
    const task = this.#store.tasks.get(id);
    if (task === null) throw notFound('Task', id);
    return task;
  }

  /** Adds a task under its key, with a number appended if the key is taken. */
  #append(suiteId: string, { key, content }: NewTask): SuiteTask {
    requireValidContent(content);
    const ownKey = this.#store.testCases.freeKey(suiteId, key);
    const [created] = this.#store.tasks.append(suiteId, [{ key: ownKey, content }]);
    if (created === undefined) throw new Error('The task that was just created is missing.');
    return created;
  }
}

/** Throws INVALID for what the schema of a task cannot check, with the field of the content. */
function requireValidContent(content: SuiteTask['content']): void {
  const [problem] = checkTaskContent(toFileTask({ key: 'task', content }));
  if (problem === undefined) return;
  const [list, at, part] = problem.path;
  const place = ['before', 'files', 'databases', 'reset'].includes(String(list))
    ? 'fixtures'
    : list === 'setup' || list === 'solution'
      ? `${list}.${at}.arguments`
      : list === 'turns'
        ? `turns.${at}`
        : list === 'stub_results'
          ? `stubs.${at}.arguments`
          : `checks.${at}.${part === undefined || part === 'id' ? 'id' : 'expected'}`;
  throw new ServiceError('INVALID', {
    thing: content.name,
    cause: problem.message,
    nextStep: 'Correct it, then save again.',
    field: `content.${place}`,
  });
}
