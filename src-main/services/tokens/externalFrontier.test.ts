import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtinModelName } from '../../../src-shared/domain/provider.ts';
import type { ClientId } from '../../../src-shared/domain/clientFacts.ts';
import type { ExternalRetriever } from '../../../src-shared/domain/retrievalRun.ts';
import { frontierRequest, type Frontier } from '../../../src-shared/domain/tokenReport.ts';
import { createServices, type OpenServices } from '../../app/createServices.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { letterEmbeddings } from '../../testing/fakeModelServer/fakeEmbeddings.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';

const options = { signal: new AbortController().signal };
const inputSchema = { type: 'object' };
const tools = [
  { name: 'refund_order', description: 'Gives the money of an order back.', inputSchema },
  { name: 'ship_order', description: 'Sends an order on its way.', inputSchema },
  { name: 'weigh_parcel', description: 'Tells how heavy a parcel is.', inputSchema },
];
const queries: readonly (readonly [string, string])[] = [
  ['give the money back, please', 'refund_order'],
  ['how heavy is it', 'weigh_parcel'],
];
const search: ExternalRetriever = {
  kind: 'mcp',
  server: 'shop',
  search: {
    tool: 'search_tools',
    argument: 'query',
    fixedArguments: {},
    items: 'hits',
    id: '{server}:{tool}',
  },
};

let folder: TemporaryFolder;
let opened: OpenServices;
let suiteId: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const file = join(folder.path, 'tools.json');
  await writeFile(
    file,
    JSON.stringify({
      tools: [{ name: 'search_tools', description: 'Searches.', inputSchema }, ...tools],
    }),
  );
  opened = await createServices({ host: 'cli', folder: join(folder.path, 'workspace') });
  await opened.services.servers.create({
    name: 'shop',
    config: fakeStdioServer('normal', { tools: file }),
  });
  const cases = queries.map(([query, tool]) => ({
    id: query,
    name: query,
    query,
    expected_calls: [{ server: 'shop', tool }],
  }));
  suiteId = (
    await opened.services.suites.import(
      {
        fileName: 's.json',
        text: JSON.stringify({ version: 1, name: 's', servers: ['shop'], cases }),
        replace: false,
      },
      options,
    )
  ).id;
});
afterAll(async () => {
  await opened.close();
  await folder.remove();
});

/** Waits until an evaluation has ended the given number of times. */
async function ended(id: string, times = 1): Promise<void> {
  let seen = 0;
  while (seen < times) {
    seen = 0;
    for await (const event of opened.services.evaluations.watch({ id, afterSeq: 0 }, options))
      if (event.type === 'ended') seen += 1;
  }
}

async function measure(retriever: ExternalRetriever, client?: ClientId): Promise<Frontier> {
  const { tokens } = opened.services;
  const started = await tokens.startFrontier(
    frontierRequest.parse({
      suiteId,
      model: { provider: 'builtin', model: builtinModelName },
      ks: [1, 2, null],
      retrievers: [retriever],
      client,
    }),
  );
  for (const { evaluationId } of started.points) await ended(evaluationId);
  return tokens.frontier({ id: started.id });
}

it("ranks with a server's search tool and shows its best k tools", async () => {
  const { points, answers } = await measure(search);
  expect(points.map(({ k, retriever, failed }) => [k, retriever, failed])).toEqual([
    [1, 'search_tools of shop', 0],
    [2, 'search_tools of shop', 0],
    [null, 'search_tools of shop', 0],
  ]);
  expect(points[0]?.accuracy.value).toBe(1);
  expect(points[0]?.tokens).toBeLessThan(points[2]?.tokens ?? 0);
  expect(answers.map(({ retriever }) => retriever)).toEqual(['search_tools of shop']);
});

it('stores rankings, so that results need no second request for embeddings', async () => {
  const server = await startFakeModelServer({ embeddings: letterEmbeddings });
  const spec: ExternalRetriever = {
    kind: 'embedding',
    provider: 'openai-compatible',
    model: 'letters',
    baseUrl: `${server.origin}/v1`,
  };
  const before = await measure(spec);
  expect(before.points.every(({ failed, tokens }) => failed === 0 && tokens !== null)).toBe(true);
  expect(before.points[0]?.retriever).toBe(`letters at ${new URL(server.origin).host}`);
  // The endpoint is gone, but its rankings are stored.
  await server[Symbol.asyncDispose]();
  const { tokens, evaluations } = opened.services;
  const again = await tokens.frontier({ id: before.id });
  expect(again).toEqual(before);
  await evaluations.rescore({ id: before.points[0]?.evaluationId ?? '' });
  expect((await tokens.frontier({ id: before.id })).points[0]?.accuracy).toEqual(
    before.points[0]?.accuracy,
  );
});

it('does not score cases whose ranking failed, and ranks them again on a resume', async () => {
  let broken = true;
  await using server = await startFakeModelServer({
    embeddings: (body) => (broken ? {} : letterEmbeddings(body)),
  });
  const before = await measure({
    kind: 'embedding',
    provider: 'openai-compatible',
    model: 'letters',
    baseUrl: `${server.origin}/v1`,
  });
  expect(before.points.map(({ k, failed, tokens }) => [k, failed, tokens === null])).toEqual([
    [1, 2, true],
    [2, 2, true],
    [null, 0, false],
  ]);
  expect(before.points[0]?.accuracy).toMatchObject({ value: null, n: 0 });
  broken = false;
  const { evaluations, tokens } = opened.services;
  const id = before.points[0]?.evaluationId ?? '';
  await evaluations.resume({ id });
  await ended(id, 2);
  const [first, second] = (await tokens.frontier({ id: before.id })).points;
  expect([first?.failed, first?.accuracy.n, first?.tokens === null]).toEqual([0, 2, false]);
  expect(second?.failed).toBe(2);
});

it('measures as a client, with the tokens of what it shows', async () => {
  const plain = await measure(search);
  const shown = await measure(search, 'gemini-cli');
  expect([plain.client, shown.client]).toEqual([null, 'gemini-cli']);
  expect(shown.points.map(({ failed, accuracy }) => [failed, accuracy.value])).toEqual(
    plain.points.map(({ failed, accuracy }) => [failed, accuracy.value]),
  );
  const { evaluations } = opened.services;
  for (const { evaluationId } of shown.points)
    expect((await evaluations.get({ id: evaluationId })).settings.client).toBe('gemini-cli');
  // Gemini CLI adds a parameter with a text of its own to every tool.
  const tokens = ({ points }: Frontier): number[] => points.map((point) => point.tokens ?? 0);
  for (const [at, count] of tokens(shown).entries())
    expect(count).toBeGreaterThan((tokens(plain)[at] ?? 0) + 30);
  expect(tokens(shown)[0]).toBeLessThan(tokens(shown)[2] ?? 0);
});

it('refuses to start with the search tool of an unknown server', async () => {
  const { tokens } = opened.services;
  const request = frontierRequest.parse({
    suiteId,
    model: { provider: 'builtin', model: builtinModelName },
    ks: [1],
    retrievers: [{ ...search, server: 'none' }],
  });
  await expect(tokens.startFrontier(request)).rejects.toThrow(
    /Server none, whose tool search_tools/,
  );
});
