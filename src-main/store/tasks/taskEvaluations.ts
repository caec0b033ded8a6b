import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { taskContent, type TaskContent } from '../../../src-shared/domain/task.ts';
import type { StoreContext } from '../storeContext.ts';

/** A task as an evaluation froze it. */
export interface FrozenTask {
  position: number;
  taskId: string;
  key: string;
  content: TaskContent;
}

export function openTaskEvaluations({ db }: StoreContext) {
  const insertTask = db.prepare(
    'INSERT INTO task_evaluation_tasks (evaluation_id, position, task_id, key, content) VALUES (?, ?, ?, ?, ?)',
  );
  const tasks = db.prepare<
    [string],
    { position: number; taskId: string; key: string; content: string }
  >(
    'SELECT position, task_id AS taskId, key, content FROM task_evaluation_tasks WHERE evaluation_id = ? ORDER BY position',
  );
  return {
    freezeTask(id: string, { position, taskId, key, content }: FrozenTask): void {
      insertTask.run(id, position, taskId, key, JSON.stringify(content));
    },
    /** In the order of the suite. */
    tasks: (id: string): FrozenTask[] =>
      tasks.all(id).map((row) => ({ ...row, content: taskContent.parse(parseJson(row.content)) })),
  };
}
export type TaskEvaluationsStore = ReturnType<typeof openTaskEvaluations>;
