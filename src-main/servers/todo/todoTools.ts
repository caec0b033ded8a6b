import { errorText } from '../../../src-shared/domain/errorText.ts';
import { taskNotFound, TodoError } from './todoError.ts';
import type { TodoStore } from './todoStore.ts';
import type { ToolName } from './toolSchemas.ts';
import { validateArguments, type TodoArguments } from './validateArguments.ts';

export interface TodoAnswer {
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
}

export type TodoLog = (line: string) => void;

const found = <T>(task: T | null, id: number): T => {
  if (task === null) throw taskNotFound(id);
  return task;
};

function run(tool: ToolName, args: TodoArguments, store: TodoStore): Record<string, unknown> {
  const { userId, title, description } = args;
  // The schemas require both if the tool needs them.
  const id = args.taskId ?? 0;
  switch (tool) {
    case 'add_task':
      return { ...store.add(userId, title ?? '', description) };
    case 'list_tasks': {
      const tasks = store.list(userId);
      return { tasks, count: tasks.length };
    }
    case 'update_task':
      return { ...found(store.update(userId, id, { title, description }), id) };
    case 'complete_task':
      return { ...found(store.toggle(userId, id), id) };
    case 'delete_task':
      if (!store.delete(userId, id)) throw taskNotFound(id);
      return { success: true, message: `Task ${id} deleted successfully` };
  }
}

/**
 * Never throws: failures become an answer with `isError`, and only a TodoError says why. The log
 * gets everything else.
 */
export function callTodoTool(
  tool: ToolName,
  received: unknown,
  store: TodoStore,
  log: TodoLog,
): TodoAnswer {
  try {
    return answer(run(tool, validateArguments(tool, received), store));
  } catch (error) {
    if (!(error instanceof TodoError)) log(`${tool}: ${errorText(error)}`);
    const told =
      error instanceof TodoError ? error : new TodoError('SERVER_ERROR', 'Internal server error');
    const { code, message, details } = told;
    return { ...answer({ error: { code, message, ...(details && { details }) } }), isError: true };
  }
}

function answer(value: Record<string, unknown>): TodoAnswer {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}
