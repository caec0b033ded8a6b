import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ExpectedCall, ToolReference } from '../../src-shared/domain/testCase.ts';
import type { Observation } from '../../src-shared/domain/observation.ts';
import type { EvaluationEvent, EvaluationRequest } from '../../src-shared/domain/evaluation.ts';
import { evaluationSettings } from '../../src-shared/domain/evaluation.ts';
import { modelConfiguration, type ModelConfiguration } from '../../src-shared/domain/model.ts';
import type { ChatModel, ChatRequest } from '../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../adapters/mcp/mcpConnection.ts';
import { EvaluationReader } from '../services/results/read/evaluationReader.ts';
import { EvaluationsService } from '../services/evaluations/evaluationsService.ts';
import { createScorer } from '../services/evaluations/score/scorer.ts';
import { createTestDatabase, realMigrationsFolder, type TestDatabase } from './testDatabase.ts';

export interface FakeTool {
  name: string;
  description?: string;
  inputSchema?: JsonObject;
}

/** A server that answers immediately, or fails with the error given instead of its tools. */
export function connectTo(servers: Record<string, FakeTool[] | Error>): ConnectMcp {
  return async ({ name }) => {
    const tools = servers[name] ?? new Error(`No server ${name}.`);
    if (tools instanceof Error) throw tools;
    return {
      protocolVersion: '2025-11-25',
      greeting: { instructions: null, protocolVersion: '2025-11-25', serverInfo: null },
      listTools: async () => ({
        tools: tools.map((tool) => {
          const received = {
            name: tool.name,
            description: tool.description ?? '',
            inputSchema: tool.inputSchema ?? { type: 'object' },
          };
          return {
            raw: JSON.stringify(received),
            tool: { ...received, server: name, title: null, outputSchema: null, annotations: null },
          };
        }),
        rejected: [],
        instructions: null,
        protocolVersion: '2025-11-25',
        serverInfo: { name, version: '1' },
      }),
      listItems: async () => ({ items: [], lists: [] }),
      callTool: () => Promise.reject(new Error('An evaluation never executes a tool.')),
      listChanges: () => 0,
      stderrTail: () => '',
      close: async () => undefined,
    };
  };
}

/** What a scripted model does with one request: answers or throws. */
export type Script = (
  request: ChatRequest,
  signal: AbortSignal,
  model: ModelConfiguration,
) => Promise<Partial<Observation> & { calls: Observation['calls'] }>;

export function call(
  server: string,
  tool: string,
  args: JsonObject = {},
): Observation['calls'][number] {
  return { id: 'call', server, tool, name: tool, arguments: args, argumentsText: null };
}

const scripted = modelConfiguration.parse({ provider: 'builtin', model: 'scripted' });

export function scriptedModel(script: Script, model = scripted): ChatModel {
  const describeTools = (tools: ChatRequest['tools']): JsonValue[] =>
    tools.map(({ server, name, description, inputSchema }) => ({
      server,
      name,
      description,
      inputSchema,
    }));
  return {
    provider: 'builtin',
    wireApi: 'builtin',
    sent: {},
    describeTools,
    async choose(request, signal) {
      const answered = await script(request, signal, model);
      const observation: Observation = {
        text: null,
        reasoning: null,
        stopReason: answered.calls.length > 0 ? 'called' : 'answered',
        confidence: null,
        usage: null,
        ...answered,
      };
      return {
        observation,
        request: { query: request.query, tools: describeTools(request.tools) },
        response: { calls: answered.calls.length },
        elapsedMs: 1,
      };
    },
    close: async () => undefined,
  };
}

export interface FakeCase {
  query: string;
  expected?: ExpectedCall[];
  servers?: string[];
  tags?: string[];
  orderDependent?: boolean;
  allowedCalls?: ToolReference[];
}

export interface Engine extends AsyncDisposable {
  database: TestDatabase;
  reader: EvaluationReader;
  service: EvaluationsService;
  suiteId: string;
  /** The lines of the log. */
  logged: string[];
  request(change?: Partial<EvaluationRequest>): EvaluationRequest;
  start(change?: Partial<EvaluationRequest>): Promise<string>;
  /** All events up to the end. */
  drain(id: string, afterSeq?: number): Promise<EvaluationEvent[]>;
  /** Another program on the same database. */
  open(): EvaluationsService;
  /** Opens the same database for a new owner, as after a crash. */
  takeOver(): EvaluationsService;
}

const noSignal = new AbortController().signal;

/**
 * One worker thread for all engines of a test file, because starting one takes longer than most
 * tests. It ends with the process.
 */
const scorer = createScorer();

/** The real service on a real database; only servers and model are simulated. */
export async function createEngine(options: {
  servers: Record<string, FakeTool[] | Error>;
  cases: FakeCase[];
  script: Script;
  /** Runs before a model is opened. */
  opening?: () => Promise<void>;
  inlineUpTo?: number;
  monotonic?: () => number;
}): Promise<Engine> {
  const database = createTestDatabase();
  for (const name of Object.keys(options.servers)) {
    database.store.servers.insert({
      name,
      url: `stdio:${name}`,
      config: { transport: 'stdio', command: name, args: [], cwd: null, env: {} },
    });
  }
  const logged: string[] = [];
  const suite = database.store.suites.insert({
    name: 'suite',
    system: null,
    messages: [],
    servers: Object.keys(options.servers),
  });
  database.store.testCases.insertMany(
    suite.id,
    options.cases.map(
      (
        {
          query,
          expected = [],
          servers = [],
          tags = [],
          orderDependent = false,
          allowedCalls = [],
        },
        index,
      ) => ({
        key: `case-${index}`,
        name: `case ${index}`,
        query,
        tags,
        servers,
        expectedCalls: expected,
        orderDependent,
        allowedCalls,
        stubResults: [],
      }),
    ),
  );
  const reader = new EvaluationReader({
    store: database.store,
    file: database.file,
    migrationsFolder: realMigrationsFolder,
    maxInlineRuns: options.inlineUpTo ?? 500,
  });
  const open = (): EvaluationsService =>
    new EvaluationsService({
      store: database.store,
      tokens: database.tokens,
      connect: connectTo(options.servers),
      openChatModel: async (model) => {
        await options.opening?.();
        return scriptedModel(options.script, model);
      },
      describeTools: (_wireApi, tools) => scriptedModel(options.script).describeTools(tools),
      scorer,
      reader,
      clock: { now: database.clock.now, monotonic: options.monotonic ?? (() => performance.now()) },
      nextId: database.nextId,
      owner: 'test',
      log: { info: (line) => void logged.push(line), error: (line) => void logged.push(line) },
    });
  let service = open();
  const request: Engine['request'] = (change = {}) => ({
    ...evaluationSettings.parse({
      suiteId: suite.id,
      models: [{ provider: 'builtin', model: 'scripted' }],
    }),
    ...change,
  });
  return {
    database,
    reader,
    open,
    get service() {
      return service;
    },
    suiteId: suite.id,
    logged,
    request,
    start: async (change) => (await service.start(request(change))).id,
    async drain(id, afterSeq = 0) {
      const events: EvaluationEvent[] = [];
      for await (const event of service.watch({ id, afterSeq }, { signal: noSignal }))
        events.push(event);
      return events;
    },
    takeOver() {
      service = open();
      service.recover();
      return service;
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await reader.close();
      database.close();
    },
  };
}
