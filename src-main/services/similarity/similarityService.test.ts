import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  defaultOverlapWeights,
  similarityEvent,
  similarityRequest,
  type AnalysedTool,
  type SimilarityAnalysis,
} from '../../../src-shared/domain/similarity.ts';
import { textModel } from '../../../src-shared/domain/textModel.ts';
import { ratingEvent, type RatingEvent } from '../../../src-shared/domain/toolQuality.ts';
import { createOpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import { createSecrets } from '../../adapters/secrets/secrets.ts';
import { connectTo } from '../../testing/engine.ts';
import { letterEmbeddings } from '../../testing/fakeModelServer/fakeEmbeddings.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { SimilarityService } from './similarityService.ts';

const path = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (server: string, name: string, description: string): AnalysedTool => ({
  server,
  name,
  description,
  inputSchema: path,
});
const tools = [
  tool('fs', 'read_file', 'Reads the text of a file in the project folder.'),
  tool('fs', 'write_file', 'Writes the text of a file in the project folder.'),
  tool('disk', 'read_file', 'Reads the text of a file in the project folder.'),
  tool('sky', 'weather', 'Tells of rain and wind for a town.'),
];

let database: TestDatabase;
let server: FakeModelServer;
let service: SimilarityService;
const options = { signal: new AbortController().signal };

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
  service = new SimilarityService({
    store: database.store,
    connect: connectTo({
      files: [
        { name: 'copy', description: 'Copies a file.' },
        { name: 'move', description: 'Moves a file.' },
      ],
      broken: new Error('It fell over.'),
    }),
    openEmbedder: createOpenEmbedder({ secrets, warn: () => undefined }),
    openChatModel: createOpenChatModel({ secrets, warn: () => undefined }),
    clock: { now: database.clock.now, monotonic: () => performance.now() },
    nextId: database.nextId,
  });
});
afterAll(async () => {
  await service.close();
  await server[Symbol.asyncDispose]();
  database.close();
});

async function analyse(
  change: object = {},
): Promise<{ analysis: SimilarityAnalysis; stages: string[] }> {
  const stages: string[] = [];
  for await (const raw of service.analyse(
    similarityRequest.parse({ input: { toolList: tools }, ...change }),
    options,
  )) {
    const event = similarityEvent.parse(raw);
    if (event.type === 'done') return { analysis: event.analysis, stages };
    if (stages.at(-1) !== event.stage) stages.push(event.stage);
  }
  throw new Error('It ended without an analysis.');
}
const refusal = (change: object): Promise<unknown> =>
  analyse(change).catch((error: unknown) => error);

describe('SimilarityService', () => {
  it('orders pairs by overlap, filters by scope and flags by threshold', async () => {
    const { analysis, stages } = await analyse();
    expect(stages).toEqual(['listing', 'preparing', 'comparing']);
    expect(analysis).toMatchObject({
      method: 'description_overlap',
      semanticSource: 'tfidf',
      threshold: 0.85,
      pairs: 6,
      floor: 0,
      failed: [],
    });
    const ask = {
      id: analysis.id,
      threshold: 0.85,
      scope: 'all',
      flaggedOnly: false,
      search: '',
      limit: 100,
    } as const;
    const all = await service.pairs(ask);
    expect(all.rows.map(({ overlap }) => overlap)).toEqual(
      all.rows.map(({ overlap }) => overlap).sort((a, b) => b - a),
    );
    expect(all.rows[0]).toMatchObject({ a: 0, b: 2, flagged: true });
    expect(all).toMatchObject({ total: 6, flagged: 1 });
    expect(await service.pairs({ ...ask, scope: 'within' })).toMatchObject({
      total: 1,
      rows: [{ a: 0, b: 1 }],
    });
    expect(await service.pairs({ ...ask, scope: 'across', search: 'WEATHER' })).toMatchObject({
      total: 3,
      flagged: 0,
    });
    expect(await service.pairs({ ...ask, threshold: 0.5, flaggedOnly: true })).toMatchObject({
      total: 3,
      flagged: 3,
    });
  });

  it('draws a matrix and groups that agree with the pairs', async () => {
    const { analysis } = await analyse();
    const { order, cells } = await service.matrix({
      id: analysis.id,
      order: 'server',
      threshold: 0.85,
    });
    expect(order.map((at) => analysis.toolIds[at])).toEqual([
      'disk:read_file',
      'fs:read_file',
      'fs:write_file',
      'sky:weather',
    ]);
    const { rows } = await service.pairs({
      id: analysis.id,
      threshold: 1,
      scope: 'all',
      flaggedOnly: false,
      search: '',
      limit: 10,
    });
    const overlap = rows.find(({ a, b }) => a === 0 && b === 1)?.overlap ?? 0;
    // Above the diagonal, row by row: (disk, fs read), (disk, fs write), (disk, sky), (fs read, fs
    // write), …
    const words = new DataView(Uint8Array.from(Buffer.from(cells, 'base64')).buffer);
    const cell = (at: number) => words.getUint16(at * 2, true);
    expect((cell(3) & 0x7fff) / 32_767).toBeCloseTo(overlap, 4);
    // A cell is marked where the list flags the pair: by its score, whatever its overlap.
    const flagged = await service.pairs({
      id: analysis.id,
      threshold: 0.85,
      scope: 'all',
      flaggedOnly: true,
      search: '',
      limit: 10,
    });
    expect(flagged.rows.map(({ a, b }) => [a, b])).toEqual([[0, 2]]);
    expect([0, 1, 2, 3, 4, 5].filter((at) => cell(at) >= 0x8000)).toEqual([0]);
    expect(
      (await service.groups({ id: analysis.id, cut: 0.7 })).map((group) => [...group].sort()),
    ).toEqual([[0, 1, 2]]);
    // The same tool on two servers has overlap 1.
    expect(await service.groups({ id: analysis.id, cut: 1 })).toEqual([[0, 2]]);
  });

  it('explains a pair by its words, parameters and recommendations', async () => {
    const { analysis } = await analyse();
    const found = await service.pair({ id: analysis.id, a: 1, b: 0, threshold: 0.5 });
    expect(found).toMatchObject({
      pair: { a: 0, b: 1, flagged: true },
      ownWords: [['read'], ['write']],
      sharedParameters: ['path:string'],
      ownParameters: [[], []],
      confusions: { total: 0, cases: [] },
    });
    expect(found.sharedWords).toContain('folder');
    expect(found.differentiation.recommendations.length).toBeGreaterThan(0);
    expect(
      (await service.recommend({ id: analysis.id, threshold: 0.85 })).map(
        ({ toolPair }) => toolPair,
      ),
    ).toEqual([['fs:read_file', 'disk:read_file']]);
  });

  it('embeds each text once and names the embedding model', async () => {
    const embeddingModel = {
      provider: 'openai-compatible',
      model: 'letters',
      baseUrl: `${server.origin}/v1`,
    };
    const { analysis } = await analyse({ embeddingModel, computeFullSimilarity: true });
    expect(analysis).toMatchObject({
      method: 'embedding',
      semanticSource: 'embedding:letters',
      full: true,
    });
    const texts = server.requests.flatMap(({ body }) => body['input'] as string[]);
    expect(new Set(texts).size).toBe(texts.length);
    const asked = server.requests.length;
    await analyse({ embeddingModel, computeFullSimilarity: true });
    expect(server.requests).toHaveLength(asked);
  });

  it('names a server that fails and compares the tools of the others', async () => {
    const { analysis } = await analyse({ input: { serverList: ['files', 'broken'] } });
    expect(analysis.toolIds).toEqual(['files:copy', 'files:move']);
    expect(analysis.failed).toMatchObject([
      { server: 'broken', reason: expect.stringContaining('It fell over') as unknown },
    ]);
  });

  it.each([
    [{ input: { toolList: tools.slice(0, 1) } }, 'INVALID', 'at least 2 tools'],
    [{ input: { serverList: ['broken'] } }, 'INVALID', 'has 0'],
    [{ input: { serverList: ['nobody'] } }, 'NOT_FOUND', 'Server nobody'],
    [
      { input: { toolList: [...tools, tools[0]] } },
      'INVALID',
      'Two of the tools are called fs:read_file',
    ],
    [{ toolIds: ['fs:read_file', 'fs:none'] }, 'INVALID', 'no tool fs:none'],
  ])('rejects %j with a reason', async (change, code, said) => {
    expect(await refusal(change)).toMatchObject({
      code,
      message: expect.stringContaining(said) as unknown,
    });
  });

  it('rejects two inputs, no input and a threshold outside 0 to 1', () => {
    expect(
      similarityRequest.safeParse({ input: { toolList: tools, serverList: ['x'] } }).success,
    ).toBe(false);
    expect(similarityRequest.safeParse({ input: {} }).success).toBe(false);
    expect(
      similarityRequest.safeParse({ input: { toolList: tools }, similarityThreshold: 1.01 })
        .success,
    ).toBe(false);
  });

  it('stops the analysis when its reader leaves', async () => {
    const many = Array.from({ length: 1_500 }, (_, at) =>
      tool(
        'many',
        `tool_${at}`,
        `Works on thing ${at} of the shelf ${at % 7} and the room ${at % 11}.`,
      ),
    );
    const events: string[] = [];
    for await (const event of service.analyse(
      similarityRequest.parse({ input: { toolList: many } }),
      options,
    )) {
      events.push(event.type);
      if (event.type === 'progress' && event.stage === 'comparing') break;
    }
    expect(events).not.toContain('done');
    expect((await analyse()).analysis.pairs).toBe(6);
  });

  it('takes the weights of the request, then those of the settings', async () => {
    const overlapWeights = { semantic: 0.2, parameters: 0.8, description: 0 };
    database.store.settings.patch({ overlapWeights });
    expect((await analyse()).analysis.weights).toEqual(overlapWeights);
    const asked = { semantic: 1, parameters: 0, description: 0 };
    expect((await analyse({ weights: asked })).analysis.weights).toEqual(asked);
    expect(() =>
      database.store.settings.patch({ overlapWeights: { ...overlapWeights, description: 0.5 } }),
    ).toThrow('sum to 1');
    database.store.settings.patch({ overlapWeights: defaultOverlapWeights });
  });

  it('assigns revised descriptions to their tools and names tools without one', async () => {
    const { analysis } = await analyse();
    const model = {
      provider: 'openai-compatible' as const,
      model: 'fake-model',
      baseUrl: `${server.origin}/v1`,
    };
    server.script(
      { does: 'answer', text: '```json\n{"description": "Of the first."}\n```' },
      { does: 'answer', text: '{"description": "Of the second."}' },
    );
    const { toolPair, recommendations } = await service.revise(
      { id: analysis.id, a: 0, b: 1, model },
      options,
    );
    expect(toolPair).toEqual(['fs:read_file', 'fs:write_file']);
    const revised = recommendations.filter(({ revisedDescription }) => revisedDescription !== null);
    expect(revised.length).toBeGreaterThan(0);
    for (const { toolId, revisedDescription } of revised)
      expect(revisedDescription).toBe(
        toolId === 'fs:read_file' ? 'Of the first.' : 'Of the second.',
      );
    for (const id of toolPair) {
      const own = recommendations.filter(({ toolId }) => toolId === id);
      if (
        own.some(({ applyCommands }) => applyCommands.some(({ path: at }) => at === '/description'))
      )
        expect(
          own
            .filter(({ revisedDescription }) => revisedDescription !== null)
            .every(({ applyCommands }) =>
              applyCommands.some(({ path: at }) => at === '/description'),
            ),
        ).toBe(true);
    }
    // The prompt holds the tool from which the revised one must differ.
    expect(server.requests.at(-1)?.query).toContain('write_file');
    // A text for one tool only is a partial result; no text at all is a failure.
    server.script(
      { does: 'answer', text: 'Sure! It is fine as it is.' },
      { does: 'answer', text: '{"description": "Of the second."}' },
    );
    const half = await service.revise({ id: analysis.id, a: 0, b: 1, model }, options);
    expect(
      half.recommendations.some(
        ({ revisedDescription }) => revisedDescription === 'Of the second.',
      ),
    ).toBe(true);
    expect(half.unrevised).toEqual([
      { toolId: 'fs:read_file', reason: expect.stringContaining('fake-model') as unknown },
    ]);
    server.script({ does: 'answer', text: 'No.' }, { does: 'answer', text: 'No.' });
    await expect(
      service.revise({ id: analysis.id, a: 0, b: 1, model }, options),
    ).rejects.toMatchObject({ code: 'TROUBLE' });
  });

  async function rate(toolList: AnalysedTool[], origin = server.origin): Promise<RatingEvent[]> {
    const events: RatingEvent[] = [];
    for await (const event of service.rate(
      {
        input: { toolList },
        model: { provider: 'openai-compatible', model: 'fake-model', baseUrl: `${origin}/v1` },
      },
      options,
    ))
      events.push(ratingEvent.parse(event));
    return events;
  }
  const rated = { score: 4, explanation: '"Reads." says nothing.', suggestion: 'Say what.' };

  it('T38: checks ratings by the model and reports tools that it could not rate', async () => {
    server.script(
      {
        does: 'answer',
        text: JSON.stringify({
          clarity: rated,
          completeness: rated,
          conciseness: { ...rated, score: 9 },
        }),
      },
      {
        does: 'answer',
        text: JSON.stringify({
          clarity: rated,
          completeness: { ...rated, score: 11 },
          conciseness: rated,
        }),
      },
      { does: 'answer', text: 'It is fine.' },
      {
        does: 'answer',
        text: JSON.stringify({ clarity: rated, completeness: rated, conciseness: rated }),
      },
    );
    const events = await rate(tools);
    expect(events[0]).toEqual({ type: 'listed', total: 4, failed: [] });
    const ratings = events.flatMap((event) => (event.type === 'rated' ? [event.quality] : []));
    expect(ratings.map(({ conciseness }) => conciseness.score).sort()).toEqual([4, 9]);
    expect(ratings[0]).toMatchObject({ model: 'openai-compatible · fake-model', clarity: rated });
    const unrated = events.flatMap((event) => (event.type === 'unrated' ? [event] : []));
    expect(unrated.map(({ reason }) => reason).sort()).toEqual([
      expect.stringContaining('It is fine'),
      expect.stringContaining('clarity'),
    ]);
    expect([...ratings, ...unrated].map(({ toolId }) => toolId).sort()).toEqual(
      tools.map(({ server: of, name }) => `${of}:${name}`).sort(),
    );
  });

  it('T38 T47: stops asking a model that keeps failing, and refuses a URL with a password', async () => {
    const many = Array.from({ length: 40 }, (_, at) => tool('many', `tool_${at}`, 'Works.'));
    await using shy = await startFakeModelServer({ rule: () => ({ does: 'answer', text: 'No.' }) });
    await expect(rate(many, shy.origin)).rejects.toMatchObject({ code: 'TROUBLE' });
    expect(shy.requests.length).toBeLessThan(12);
    expect(textModel.safeParse({ provider: 'builtin', model: 'm', baseUrl: null }).success).toBe(
      false,
    );
    expect(
      textModel.safeParse({
        provider: 'openai',
        model: 'm',
        baseUrl: 'https://user:secret@example.org/v1',
      }).success,
    ).toBe(false);
  });
});
