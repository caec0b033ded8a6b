import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { evaluationRequest, type EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { createSecrets } from '../adapters/secrets/secrets.ts';
import { createServices, type OpenServices } from '../app/createServices.ts';
import { connectTo } from './engine.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from './fakeModelServer/start.ts';
import type { Reaction, SeenRequest } from './fakeModelServer/react.ts';
import { temporaryFolder, type TemporaryFolder } from './temporaryFolder.ts';

type Services = OpenServices['services'];

/** Recognizable secrets, so that a test can search for them in everything that is written. */
export const secretKeys = {
  openai: 'sk-canary-openai-0123456789/+x',
  anthropic: 'sk-ant-canary-9876543210',
  env: 'server-env-canary-0815',
};
export const callOptions = { signal: new AbortController().signal };
export const titleSchema: JsonObject = {
  type: 'object',
  properties: { title: { type: 'string' } },
};

/** The whole program on a temporary workspace, with a fake model server that a test controls. */
export class ModelWorkspace {
  /** How the fake model reacts to a request. */
  rule: (request: SeenRequest) => Reaction = callWhatIsNamed;
  /** What the endpoint for counting tokens returns; null: there is none. */
  counted: ((request: SeenRequest) => number | Reaction) | null = () => 100;
  readonly logged: string[] = [];
  #folder: TemporaryFolder | null = null;
  #server: FakeModelServer | null = null;
  #opened: OpenServices | null = null;

  get folder(): string {
    if (!this.#folder) throw new Error('The workspace is not set up.');
    return this.#folder.path;
  }

  get server(): FakeModelServer {
    if (!this.#server) throw new Error('The workspace is not set up.');
    return this.#server;
  }

  async setUp(): Promise<void> {
    this.#folder = await temporaryFolder();
    this.#server = await startFakeModelServer({
      rule: (request) => this.rule(request),
      counted: (request) =>
        this.counted
          ? this.counted(request)
          : { does: 'error', status: 404, type: 'invalid_request_error', message: 'Invalid URL' },
    });
  }

  /** Opens services with one server "s" that offers the given tools. */
  async open(
    name: string,
    tools: { name: string; description?: string; inputSchema?: JsonObject }[] = [
      { name: 'add', inputSchema: titleSchema },
      { name: 'delete', inputSchema: titleSchema },
      { name: 'list', inputSchema: titleSchema },
    ],
  ): Promise<Services> {
    const secrets = createSecrets({
      environment: {},
      memory: new Map([
        ['openai', secretKeys.openai],
        ['anthropic', secretKeys.anthropic],
      ]),
    });
    const log = {
      info: (text: string) => void this.logged.push(text),
      error: (text: string) => void this.logged.push(text),
    };
    this.#opened = await createServices({
      host: 'cli',
      folder: join(this.folder, name),
      secrets,
      log,
      connect: connectTo({ s: tools }),
    });
    const { services } = this.#opened;
    await services.servers.create({
      name: 's',
      config: {
        transport: 'stdio',
        command: 'canary',
        args: [],
        cwd: null,
        env: { API_TOKEN: secretKeys.env },
      },
    });
    return services;
  }

  /** Runs an evaluation to its end; every given model is the fake one with changes. */
  async run(
    services: Services,
    suiteId: string,
    given: { models?: object[] } & Record<string, unknown>,
  ) {
    const model = {
      provider: 'openai',
      model: 'fake-model',
      baseUrl: `${this.server.origin}/v1`,
      maxRetries: 0,
    };
    const { models = [{}], ...rest } = given;
    const request = evaluationRequest.parse({
      suiteId,
      models: models.map((each) => ({ ...model, ...each })),
      ...rest,
    });
    const { id } = await services.evaluations.start(request);
    const events: EvaluationEvent[] = [];
    for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions))
      events.push(event);
    const { rows } = await services.evaluations.runs({
      id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 500,
    });
    const detail = (runId: string) =>
      services.evaluations.run({ id, runId, filter: {}, sort: 'position', descending: false });
    return {
      id,
      evaluation: await services.evaluations.get({ id }),
      summary: await services.evaluations.summary({ id, modelSettingsId: null }),
      rows,
      detail,
      events,
    };
  }

  /** Closes the services and resets how the fake model reacts. */
  async reset(): Promise<void> {
    await this.#opened?.close();
    this.#opened = null;
    this.rule = callWhatIsNamed;
    this.counted = () => 100;
  }

  async close(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#folder?.remove();
  }
}

/** A workspace for all tests of a file; services are closed after each test. */
export function createModelWorkspace(): ModelWorkspace {
  const workspace = new ModelWorkspace();
  beforeAll(() => workspace.setUp());
  afterEach(() => workspace.reset());
  afterAll(() => workspace.close());
  return workspace;
}

/** Imports a suite of queries with the expected tool, or null where none is. Returns its id. */
export async function addSuite(
  services: Services,
  queries: readonly [string, string | null][],
  name = 'suite',
): Promise<string> {
  const cases = queries.map(([query, tool], index) => ({
    id: `c${index}`,
    name: `c${index}`,
    query,
    expected_calls: tool === null ? [] : [{ server: 's', tool }],
  }));
  await services.suites.import(
    {
      fileName: `${name}.json`,
      text: JSON.stringify({ version: 1, name, servers: ['s'], system: 'Be brief.', cases }),
      replace: false,
    },
    callOptions,
  );
  return (await services.suites.list()).find((suite) => suite.name === name)?.id ?? '';
}

/** The given number of queries that the fake model answers correctly. */
export const correctQueries = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, index): [string, string] => [
    `please s__add number ${index}`,
    'add',
  ]);
