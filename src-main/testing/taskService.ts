import type { ChatModel } from '../adapters/llm/chatModel.ts';
import { createBuiltinModel } from '../adapters/llm/builtin/builtinModel.ts';
import { createConnector } from '../adapters/mcp/connect.ts';
import type { ConnectMcp } from '../adapters/mcp/mcpConnection.ts';
import { systemClock } from '../runtime/clock.ts';
import { defaultTaskLimits, taskContent, type TaskContent } from '../../src-shared/domain/task.ts';
import { taskEvaluationRequest, type TaskEvent } from '../../src-shared/domain/taskEvaluation.ts';
import type { ModelConfiguration } from '../../src-shared/domain/model.ts';
import { noPrices, type Prices } from '../services/models/prices.ts';
import { EvaluationReader } from '../services/results/read/evaluationReader.ts';
import { TaskEvaluationsService } from '../services/tasks/taskEvaluationsService.ts';
import { TokenCounter } from '../services/tokenCounts/tokenCounter.ts';
import { TokenCounts } from '../services/tokenCounts/tokenCounts.ts';
import { fakeStdioServer } from './fakeMcpServer/start.ts';
import { todoServer } from './taskRuns.ts';
import { createTestDatabase, realMigrationsFolder } from './testDatabase.ts';

export const task = (key: string, change: Partial<TaskContent> = {}) => ({
  key,
  content: taskContent.parse({
    name: key,
    turns: ['Add a task "Buy milk" for user u-1.'],
    tags: [],
    servers: [],
    setup: [],
    checks: [{ id: 'made', kind: 'calls', must: ['add_task'], ordered: false, never: [] }],
    limits: defaultTaskLimits,
    stubs: [],
    injection: null,
    ...change,
  }),
});
/** The service over a database of its own, the Todo server, and a model that a test decides. */
export function createTaskService(
  tasks: ReturnType<typeof task>[],
  model: (configuration: ModelConfiguration) => ChatModel | Promise<ChatModel> = () =>
    createBuiltinModel(),
  {
    onCall = () => undefined,
    prices = noPrices,
    connect = createConnector(),
    inlineUpTo = 500,
  }: {
    onCall?: () => void;
    prices?: Prices;
    connect?: ConnectMcp;
    /** Evaluations with more runs are read in a worker. */
    inlineUpTo?: number;
  } = {},
) {
  const database = createTestDatabase();
  const { store, nextId } = database;
  for (const [name, config] of [
    ['todo', todoServer],
    ['stuck', fakeStdioServer('silent-call')],
    ['broken', fakeStdioServer('exit-at-start')],
  ] as const)
    store.servers.insert({ name, url: `stdio:${name}`, config });
  const suite = store.suites.insert({ name: 'S', system: null, messages: [], servers: ['todo'] });
  store.tasks.append(suite.id, tasks);
  const tokens = new TokenCounts(store, new TokenCounter());
  const reader = new EvaluationReader({
    store,
    file: database.file,
    migrationsFolder: realMigrationsFolder,
    maxInlineRuns: inlineUpTo,
  });
  const open = () =>
    new TaskEvaluationsService({
      store,
      tokens,
      connect: async (...target) => {
        const connection = await connect(...target);
        const callTool = connection.callTool.bind(connection);
        return Object.assign(connection, {
          callTool: (...call: Parameters<typeof callTool>) => {
            setImmediate(onCall);
            return callTool(...call);
          },
        });
      },
      openChatModel: async (configuration) => model(configuration),
      prices,
      reader,
      clock: systemClock,
      nextId,
      owner: 'test',
    });
  const service = open();
  const request = (change: object = {}) =>
    taskEvaluationRequest.parse({
      suiteId: suite.id,
      models: [{ provider: 'builtin', model: 'default-v1' }],
      ...change,
    });
  const full = { mode: 'full', agreedServers: ['todo', 'stuck', 'broken'] };
  return {
    database,
    store,
    service,
    open,
    request,
    runs: async (id: string) =>
      (await service.runs({ id, sort: 'position', descending: false, offset: 0, limit: 500 })).rows,
    start: async (change: object = full) => (await service.start(request(change))).id,
    async drain(id: string): Promise<TaskEvent[]> {
      const events: TaskEvent[] = [];
      const { signal } = new AbortController();
      for await (const event of service.watch({ id, afterSeq: 0 }, { signal })) events.push(event);
      return events;
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await tokens.close();
      await reader.close();
      database.close();
    },
  };
}
