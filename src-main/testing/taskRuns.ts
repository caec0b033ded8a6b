import type { ChatInput, ChatModel, Conversation } from '../adapters/llm/chatModel.ts';
import { createConnector, type ConnectorOptions } from '../adapters/mcp/connect.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import type { ActualCall, Observation } from '../../src-shared/domain/observation.ts';
import type { StdioConfig } from '../../src-shared/domain/server.ts';
import { defaultTaskLimits } from '../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../src-shared/domain/tool.ts';
import { toolDefinitions } from '../servers/todo/toolSchemas.ts';
import { tool } from './fakeModelServer/openTestModel.ts';
import { SharedServers } from '../services/tasks/sharedServers.ts';
import { TaskJudge } from '../services/tasks/taskJudge.ts';
import type { TaskRun } from '../services/tasks/runTask.ts';
import { todoProgram } from './todoProgram.ts';

export const soon = () => AbortSignal.timeout(30_000);

/** One reply of a scripted model. Calls and a text may come together. */
export type Reply = Partial<Observation>;

export function called(name: string, args: JsonObject | null = {}, server = 'todo'): ActualCall {
  return {
    id: `call_${name}`,
    server,
    tool: name,
    name,
    arguments: args,
    argumentsText: args === null ? '{"broken' : null,
  };
}

export const calls = (...made: ActualCall[]): Reply => ({ calls: made });
export const says = (text: string): Reply => ({ text });

/** A model that gives these replies in order, or decides by what it is told. */
export function scripted(
  script: Reply[] | ((input: ChatInput, step: number) => Reply | Promise<Reply>),
) {
  const inputs: ChatInput[] = [];
  const conversation: Conversation = {
    async next(input, signal) {
      signal.throwIfAborted();
      const step = inputs.push(input) - 1;
      const reply = Array.isArray(script) ? script[step] : await script(input, step);
      if (!reply) throw new Error('The script has no further reply.');
      const made = reply.calls ?? [];
      return {
        observation: {
          calls: made,
          text: null,
          reasoning: null,
          stopReason: made.length > 0 ? 'called' : 'answered',
          confidence: null,
          usage: { input: 10, output: 1, source: 'measured' },
          ...reply,
        },
        request: { step },
        response: { step },
        elapsedMs: 1,
      };
    },
  };
  const model: ChatModel = {
    provider: 'builtin',
    wireApi: 'builtin',
    sent: {},
    describeTools: () => [],
    choose: () => Promise.reject(new Error('A task never asks for one choice.')),
    converse: () => conversation,
    close: async () => undefined,
  };
  return { model, inputs };
}

export const todoTools: SnapshotTool[] = toolDefinitions.map((each) => ({
  ...tool(each.name, each.inputSchema, 'todo', each.description),
  annotations: { ...each.annotations },
}));

/** The bundled server with a database in the folder of the run. */
export const todoServer: StdioConfig = {
  transport: 'stdio',
  command: process.execPath,
  args: [...todoProgram, '{{run_dir}}/todo.sqlite'],
  cwd: null,
  env: {},
};

export const taskRun = (change: Partial<TaskRun> = {}): TaskRun => ({
  name: 'Buy milk',
  turns: ['Add a task to buy milk.'],
  system: null,
  messages: [],
  setup: [],
  checks: [],
  limits: defaultTaskLimits,
  repetition: 1,
  mode: 'stub',
  stubs: [],
  injection: null,
  tools: todoTools,
  known: todoTools,
  environment: null,
  judge: new TaskJudge(),
  ...change,
});

export const environmentParts = (options: ConnectorOptions = {}) => ({
  connect: createConnector({
    ...options,
    deadlines: {
      connectMs: 20_000,
      startMs: 20_000,
      listMs: 20_000,
      callMs: 20_000,
      ...options.deadlines,
    },
  }),
  shared: new SharedServers(),
});
