import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retrieverSpec } from '../../../src-shared/domain/retrievalRun.ts';
import { createOpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import { createSecrets } from '../../adapters/secrets/secrets.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { connectTo } from '../../testing/engine.ts';
import { letterEmbeddings } from '../../testing/fakeModelServer/fakeEmbeddings.ts';
import { noteWaits, testKey } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { RetrievalService } from './retrievalService.ts';

const options = { signal: new AbortController().signal };
const tools = [
  ['a', 'aaaa'],
  ['b', 'bbbb'],
  ['c', 'cccc'],
  ['none', ''],
].map(([tool = '', description = '']) => ({
  tool_id: `s:${tool}`,
  server: 's',
  tool,
  description,
  schema: {},
}));
const queries = [
  ['q1', 'bbb', 's:b'],
  ['q2', 'ccca', 's:c'],
  ['q3', 'bbb', 's:b'],
].map(([id = '', query = '', toolId = '']) => ({
  id,
  query,
  labels: [{ tool_id: toolId, relevance: 2 }],
}));

let server: FakeModelServer;
let database: TestDatabase;
beforeAll(async () => {
  server = await startFakeModelServer({ key: testKey, embeddings: letterEmbeddings });
});
beforeEach(() => {
  database = createTestDatabase();
});
afterEach(() => {
  database.close();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Opens the service as the program does; the fake endpoint refuses every other key. */
async function open(key: string | null = testKey) {
  const secrets = createSecrets({
    environment: {},
    memory: new Map(key === null ? [] : [['openai-compatible', key]]),
  });
  const openEmbedder = createOpenEmbedder({ secrets, timing: noteWaits(), warn: () => undefined });
  const service = new RetrievalService({
    store: database.store,
    connect: connectTo({}),
    openEmbedder,
    clock: database.clock,
    datasets: programFiles.datasets,
  });
  if (database.store.datasets.get('corpus', 'own_v1') === null) {
    await service.importFile({
      kind: 'corpus',
      fileName: 'own_v1.json',
      text: JSON.stringify({ version: 'own_v1', tools }),
      lenient: false,
    });
    await service.importFile({
      kind: 'golden',
      fileName: 'golden_v1.json',
      text: JSON.stringify({ version: 'golden_v1', corpus_version: 'own_v1', queries }),
      lenient: false,
    });
  }
  const spec = (model: string) =>
    retrieverSpec.parse({ kind: 'embedding', model, baseUrl: `${server.origin}/v1` });
  const compare = (model = 'letters') =>
    service.compare(
      {
        corpus: 'own_v1',
        golden: 'golden_v1',
        retrievers: [spec(model)],
        lenient: false,
        baseline: null,
        tolerance: null,
      },
      options,
    );
  return { service, compare, spec };
}

describe('the embedding retriever', () => {
  it('sends its key and ranks by the vector of the query', async () => {
    const { compare } = await open();
    const { results } = await compare();
    expect(results[0]).toMatchObject({
      retriever: 'embedding',
      title: expect.stringContaining('letters at 127.0.0.1') as unknown,
      metrics: { recall_at_1: { value: 1, n: 3 } },
    });
    expect(results[0]?.perQuery.map(({ top }) => top[0])).toEqual(['s:b', 's:c', 's:b']);
  });

  it('embeds each text once per model, also after a restart', async () => {
    const before = server.requests.length;
    await (await open()).compare();
    const texts = server.requests.slice(before).flatMap(({ body }) => body['input'] as string[]);
    expect(new Set(texts).size).toBe(texts.length);
    // Four tools and two distinct queries: one request for each group, not one per query.
    expect([texts.length, server.requests.length - before]).toEqual([6, 2]);
    database.reopen();
    const again = await open();
    await again.compare();
    await again.service.tryRetriever(
      { retriever: again.spec('letters'), corpus: 'own_v1', query: 'bbb' },
      options,
    );
    expect(server.requests.length - before).toBe(2);
    await again.compare('other letters');
    expect(server.requests.length - before).toBe(4);
  });

  it('T60: fails on a refused key without repeating it in the message', async () => {
    const { compare } = await open('sk-wrong-canary-0123456789');
    const refused = await compare().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'TROUBLE',
      message: expect.stringMatching(/letters at .*401/u) as unknown,
    });
    expect(String(refused)).not.toContain('sk-wrong-canary');
  });
});
