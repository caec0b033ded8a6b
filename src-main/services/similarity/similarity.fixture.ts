import { afterAll, beforeAll } from 'vitest';
import {
  similarityEvent,
  similarityRequest,
  type AnalysedTool,
  type SimilarityAnalysis,
} from '../../../src-shared/domain/similarity.ts';
import { createOpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import { createSecrets } from '../../adapters/secrets/secrets.ts';
import { connectTo } from '../../testing/engine.ts';
import { letterEmbeddings } from '../../testing/fakeModelServer/fakeEmbeddings.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { SecurityService } from '../security/securityService.ts';
import { SimilarityService } from './similarityService.ts';

const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
export const tool = (server: string, name: string, description: string): AnalysedTool => ({
  server,
  name,
  description,
  inputSchema,
});
/** Two servers with an identical tool, one similar tool and an unrelated one. */
export const tools = [
  tool('fs', 'read_file', 'Reads the text of a file in the project folder.'),
  tool('fs', 'write_file', 'Writes the text of a file in the project folder.'),
  tool('disk', 'read_file', 'Reads the text of a file in the project folder.'),
  tool('sky', 'weather', 'Tells of rain and wind for a town.'),
];
export const options = { signal: new AbortController().signal };

interface SimilaritySetup {
  readonly database: TestDatabase;
  readonly server: FakeModelServer;
  readonly service: SimilarityService;
}

/** A service on its own database with a fake model server, for all tests of a file. */
export function setUpSimilarity(): SimilaritySetup {
  let database: TestDatabase;
  let server: FakeModelServer;
  let service: SimilarityService;
  let security: SecurityService;
  beforeAll(async () => {
    database = createTestDatabase();
    server = await startFakeModelServer({ embeddings: letterEmbeddings });
    for (const name of ['files', 'broken'])
      database.store.servers.insert({
        name,
        url: `stdio:${name}`,
        config: { transport: 'stdio', command: name, args: [], cwd: null, env: {} },
      });
    const secrets = createSecrets({ environment: {} });
    const openChatModel = createOpenChatModel({ secrets, warn: () => undefined });
    security = new SecurityService({
      store: database.store,
      openChatModel,
      datasetsFolder: programFiles.datasets,
    });
    service = new SimilarityService({
      store: database.store,
      tokens: database.tokens,
      connect: connectTo({
        files: [
          { name: 'copy', description: 'Copies a file.' },
          { name: 'move', description: 'Moves a file.' },
        ],
        broken: new Error('It fell over.'),
      }),
      openEmbedder: createOpenEmbedder({ secrets, warn: () => undefined }),
      openChatModel,
      examine: (given, signal) => security.toolFindings({ tools: [...given] }, { signal }),
      clock: { now: database.clock.now, monotonic: () => performance.now() },
      nextId: database.nextId,
    });
  });
  afterAll(async () => {
    await service.close();
    await security.close();
    await server[Symbol.asyncDispose]();
    database.close();
  });
  // Getters, because the values are set before the first test, not before this function returns.
  return {
    get database() {
      return database;
    },
    get server() {
      return server;
    },
    get service() {
      return service;
    },
  };
}

/** Runs an analysis to its end and returns it with the stages that it reported. */
export async function analyze(
  service: SimilarityService,
  change: object = {},
): Promise<{ analysis: SimilarityAnalysis; stages: string[] }> {
  const stages: string[] = [];
  for await (const raw of service.analyze(
    similarityRequest.parse({ input: { toolList: tools }, ...change }),
    options,
  )) {
    const event = similarityEvent.parse(raw);
    if (event.type === 'done') return { analysis: event.analysis, stages };
    if (stages.at(-1) !== event.stage) stages.push(event.stage);
  }
  throw new Error('It ended without an analysis.');
}
