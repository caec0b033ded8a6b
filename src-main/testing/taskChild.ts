import { createBuiltinModel } from '../adapters/llm/builtin/builtinModel.ts';
import type { ChatModel } from '../adapters/llm/chatModel.ts';
import type { ServerConfig } from '../../src-shared/domain/server.ts';
import { openEnvironment, type TaskEnvironment } from '../services/tasks/taskEnvironment.ts';
import { runTask } from '../services/tasks/runTask.ts';
import { environmentParts, taskRun, todoServer } from './taskRuns.ts';

/**
 * Runs a task with two turns on the Todo server and stops forever at a step, to be killed there:
 * `node taskChild.ts STEP`. It says its step, or "done" if the task has fewer.
 */
const stopAt = Number(process.argv[2]);
let step = 0;
async function pass(): Promise<void> {
  step += 1;
  if (step !== stopAt) return;
  process.stdout.write('stopped\n');
  await new Promise<never>(() => setInterval(() => undefined, 60_000));
}

const config: ServerConfig = todoServer;
const opened = await openEnvironment(
  [{ name: 'todo', config }],
  environmentParts(),
  new AbortController().signal,
);
await pass();
const passing =
  (send: TaskEnvironment['call']): TaskEnvironment['call'] =>
  async (...call) => {
    await pass();
    const answer = await send(...call);
    await pass();
    return answer;
  };
const environment: TaskEnvironment = {
  ...opened,
  call: passing((...call) => opened.call(...call)),
  read: passing((...call) => opened.read(...call)),
};
const builtin = createBuiltinModel();
const model: ChatModel = {
  ...builtin,
  converse(request) {
    const conversation = builtin.converse?.(request);
    if (!conversation) throw new Error('builtin has conversations.');
    return {
      async next(input, signal) {
        await pass();
        return conversation.next(input, signal);
      },
    };
  },
};
await runTask(
  taskRun({
    mode: 'full',
    environment,
    turns: ['Add a task "Buy milk" for user u-1.', 'Mark the task as completed.'],
    setup: [{ server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'Pay rent' } }],
    checks: [
      {
        id: 'state',
        kind: 'state',
        server: 'todo',
        tool: 'list_tasks',
        arguments: { user_id: 'u-1' },
        at: '/tasks',
        test: 'contains',
        expected: { completed: true },
      },
    ],
  }),
  model,
  new AbortController().signal,
);
await pass();
await opened[Symbol.asyncDispose]();
process.stdout.write('done\n');
