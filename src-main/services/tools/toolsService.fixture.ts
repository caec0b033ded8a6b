import { performance } from 'node:perf_hooks';
import { createOpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import { createSecrets } from '../../adapters/secrets/secrets.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import {
  call,
  connectTo,
  createEngine,
  type Engine,
  type FakeCase,
  type FakeTool,
} from '../../testing/engine.ts';
import { CandidatesService } from '../candidates/candidatesService.ts';
import { SecurityService } from '../security/securityService.ts';
import { SimilarityService } from '../similarity/similarityService.ts';
import { openCaseTrial } from '../trials/caseTrial.ts';
import { ToolsService } from './toolsService.ts';

const closing: (() => Promise<unknown>)[] = [];
/** After each test that opened tools. */
export async function closeTools(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

export type Servers = Record<string, FakeTool[]>;
type Script = NonNullable<Parameters<typeof createEngine>[0]>['script'] & {};

// The first model is right in the first cases, the second one is always wrong.
const firstCases: Script = async ({ query }, _signal, { model }) => ({
  calls: [call('s', model === 'first' && Number(query) < 3 ? 'add' : 'remove')],
});

export async function openTools(servers: Servers, cases: FakeCase[] = [], script = firstCases) {
  const engine = await createEngine({ servers, cases, script });
  closing.push(async () => engine[Symbol.asyncDispose]());
  const { store, tokens, clock, nextId } = engine.database;
  const secrets = createSecrets({ environment: {} });
  const openChatModel = createOpenChatModel({ secrets, warn: () => undefined });
  const security = new SecurityService({
    store,
    openChatModel,
    datasetsFolder: programFiles.datasets,
  });
  const similarity = new SimilarityService({
    store,
    tokens,
    connect: connectTo(servers),
    openEmbedder: createOpenEmbedder({ secrets, warn: () => undefined }),
    openChatModel,
    examine: (given, signal) => security.toolFindings({ tools: [...given] }, { signal }),
    clock: { now: clock.now, monotonic: () => performance.now() },
    nextId,
  });
  const candidates = new CandidatesService({
    store,
    tokens,
    openChatModel,
    examine: (given, signal) => security.toolFindings({ tools: [...given] }, { signal }),
    trials: { open: (target) => openCaseTrial(store, engine.service, target) },
  });
  engine.service.onEnd((id) => candidates.settle(id));
  const tools = new ToolsService({
    ...{ store, tokens, reader: engine.reader, similarity, security, candidates },
  });
  closing.push(
    () => security.close(),
    () => similarity.close(),
    () => tools.close(),
  );
  const idOf = (name: string) => store.servers.getByName(name)?.id ?? '';
  return {
    engine,
    store,
    security,
    candidates,
    tools,
    idOf,
    list: (change: Partial<Parameters<ToolsService['list']>[0]> = {}) =>
      tools.list({ wait: true, ...change }),
  };
}

/** Stores a listing as a check or a person leaves it behind. */
export function keepListing(
  { store, clock, nextId }: Engine['database'],
  server: string,
  listed: readonly FakeTool[],
  askedBy: 'person' | 'check' = 'person',
): void {
  const serverId = store.servers.getByName(server)?.id ?? '';
  const { id } = store.toolSnapshots.freeze({
    servers: [
      {
        ...{ server, serverId, status: 'listed', error: null, instructions: null },
        ...{ protocolVersion: null, serverInfo: null, rejected: [] },
      },
    ],
    tools: listed.map(({ name, description = '', inputSchema = { type: 'object' } }) => ({
      serverId,
      tool: {
        raw: JSON.stringify({ name, description, inputSchema }),
        tool: {
          ...{ server, name, description, inputSchema },
          ...{ title: null, outputSchema: null, annotations: null },
        },
      },
    })),
  });
  store.serverListings.add({
    ...{ id: nextId(), serverId, snapshotId: id, createdAt: clock.now(), askedBy },
  });
}

export const todo: FakeTool[] = [
  { name: 'add', description: '\n\n# Adds an item to the list.\nUse it for new items only.' },
  { name: 'remove', description: 'Removes an item from the list.' },
  { name: 'weather', description: 'Reports rain and wind for a town.' },
];
