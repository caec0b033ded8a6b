import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RetrieverSpec } from '../../../src-shared/domain/retrievalRun.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import { createServices, type OpenServices } from '../../app/createServices.ts';
import { runCommand } from '../../testing/commandLine.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';

const options = { signal: new AbortController().signal };
const tools = [
  { name: 'refund_order', description: 'Gives the money of an order back.' },
  { name: 'ship_order', description: 'Sends an order on its way.' },
  { name: 'weigh_parcel', description: 'Tells how heavy a parcel is.' },
];
const search = {
  tool: 'search_tools',
  argument: 'query',
  fixedArguments: { limit: 2 },
  items: 'hits',
  id: '{server}:{tool}',
};

let folder: TemporaryFolder;
let opened: OpenServices;
let toolsFile: string;
let corpusFile: string;
let goldenFile: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  [toolsFile, corpusFile, goldenFile] = [
    join(folder.path, 'tools.json'),
    join(folder.path, 'shop_v1.json'),
    join(folder.path, 'shop_golden_v1.json'),
  ];
  await writeFile(
    toolsFile,
    JSON.stringify({
      tools: [
        { name: 'search_tools', description: 'Searches.', inputSchema: { type: 'object' } },
        ...tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } })),
      ],
    }),
  );
  await writeFile(
    corpusFile,
    JSON.stringify({
      version: 'shop_v1',
      tools: tools.map(({ name, description }) => ({
        tool_id: `shop:${name}`,
        server: 'shop',
        tool: name,
        description,
      })),
    }),
  );
  const query = (id: string, text: string, tool: string) => ({
    id,
    query: text,
    labels: [{ tool_id: `shop:${tool}`, relevance: 2 }],
  });
  await writeFile(
    goldenFile,
    JSON.stringify({
      version: 'shop_golden_v1',
      corpus_version: 'shop_v1',
      queries: [
        query('q1', 'the money back, please', 'refund_order'),
        query('q2', 'how heavy', 'weigh_parcel'),
        query('q3', 'nothing of this', 'ship_order'),
      ],
    }),
  );
  opened = await createServices({ host: 'cli', folder: join(folder.path, 'workspace') });
  const { retrieval } = opened.services;
  await retrieval.importFile({
    kind: 'corpus',
    fileName: 'shop_v1.json',
    text: await readFile(corpusFile, 'utf8'),
    lenient: false,
  });
  await retrieval.importFile({
    kind: 'golden',
    fileName: 'shop_golden_v1.json',
    text: await readFile(goldenFile, 'utf8'),
    lenient: false,
  });
});
afterAll(async () => {
  await opened.close();
  await folder.remove();
});

/** Tries the search tool of a registered server, then scores it over the golden set. */
async function measured(name: string, config: ServerConfig, secrets: string[] = []) {
  const { retrieval, servers } = opened.services;
  await servers.create({ name, config, secrets });
  const retriever: RetrieverSpec = { kind: 'mcp', server: name, search };
  const tried = await retrieval.tryRetriever(
    { retriever, corpus: 'shop_v1', query: 'how heavy is it' },
    options,
  );
  const compared = await retrieval.compare(
    {
      corpus: 'shop_v1',
      golden: 'shop_golden_v1',
      retrievers: [{ kind: 'offline', id: 'bm25' }, retriever],
      lenient: false,
      baseline: null,
      tolerance: null,
    },
    options,
  );
  return { tried, result: compared.results[1], title: compared.results[1]?.title };
}

describe("a server's search tool as a retriever", () => {
  it.each(['json', 'events', 'sse'] as const)(
    "ranks every query in the server's order over HTTP (%s)",
    async (shape) => {
      await using server = await startFakeHttpServer('normal', shape, { tools: toolsFile });
      const { tried, result, title } = await measured(`shop-${shape}`, server.config());
      expect(tried).toMatchObject({ ranking: ['shop:weigh_parcel'], unknown: [] });
      expect(title).toBe(`search_tools of shop-${shape}`);
      expect(result?.perQuery.map(({ id, top, values }) => [id, top, values.mrr])).toEqual([
        ['q1', ['shop:refund_order'], 1],
        ['q2', ['shop:weigh_parcel'], 1],
        ['q3', [], 0],
      ]);
      expect(result?.metrics.recall_at_1).toMatchObject({ value: 2 / 3, n: 3 });
    },
  );

  it('gives the same numbers over stdio', async () => {
    const { result } = await measured(
      'shop-stdio',
      fakeStdioServer('normal', { tools: toolsFile }),
    );
    expect(result?.metrics.recall_at_1).toMatchObject({ value: 2 / 3, n: 3 });
  });

  it("sends a server's secret header with every query and stores it nowhere in the open", async () => {
    await using server = await startFakeHttpServer('normal', 'json', { tools: toolsFile });
    await measured('shop-secret', server.config({ authorization: 'Bearer key-of-the-shop' }), [
      'key-of-the-shop',
    ]);
    const stored = (await opened.services.servers.list()).find(
      ({ name }) => name === 'shop-secret',
    );
    expect(JSON.stringify(stored)).not.toContain('key-of-the-shop');
    const requests = server
      .requests()
      .split('\n')
      .filter((line) => line.startsWith('POST'));
    expect(requests.length).toBeGreaterThan(4);
    for (const line of requests) expect(line).toContain('authorization=Bearer key-of-the-shop');
  });

  it('names a server that fails, and rejects an unknown one', async () => {
    const { retrieval, servers } = opened.services;
    const ask = (server: string, tool = search.tool) =>
      retrieval.tryRetriever(
        {
          retriever: { kind: 'mcp', server, search: { ...search, tool } },
          corpus: 'shop_v1',
          query: 'heavy',
        },
        options,
      );
    const server = await startFakeHttpServer('normal', 'json', { tools: toolsFile });
    await servers.create({ name: 'shop-gone', config: server.config() });
    await expect(ask('shop-gone', 'no_such_tool')).rejects.toMatchObject({
      code: 'TROUBLE',
      message: expect.stringContaining('no_such_tool of shop-gone') as string,
    });
    await server.close();
    await expect(ask('shop-gone')).rejects.toMatchObject({
      message: expect.stringContaining('shop-gone') as string,
    });
    await expect(ask('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is scored on the command line by URL and by registered name', async () => {
    const workspace = join(folder.path, 'of-the-command-line');
    const common = [
      'retrieval',
      '--corpus',
      corpusFile,
      '--golden',
      goldenFile,
      '--retriever',
      'mcp',
      '--search-tool',
      'search_tools',
      '--items',
      'hits',
      '--id',
      '{server}:{tool}',
      '--json',
    ];
    const recallOf = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { metrics: { recall_at: Record<string, number> } }).metrics.recall_at[
        '1'
      ];
    for (const shape of ['json', 'sse'] as const) {
      await using server = await startFakeHttpServer('normal', shape, { tools: toolsFile });
      const transport = server.config().transport;
      const direct = await runCommand([...common, '--url', server.url, '--transport', transport], {
        workspace,
      });
      expect([direct.code, recallOf(direct)], direct.stderr).toEqual([0, 2 / 3]);
      await runCommand(
        ['servers', 'add', `shop-${shape}`, '--url', server.url, '--transport', transport],
        { workspace },
      );
      const registered = await runCommand([...common, '--server', `shop-${shape}`], { workspace });
      expect([registered.code, recallOf(registered)], registered.stderr).toEqual([0, 2 / 3]);
    }
  });
});

describe("a comparison of the program's own retrievers", () => {
  it('is measured once for each question, and again after the golden set has changed', async () => {
    const { retrieval } = opened.services;
    const compare = (id: string) =>
      retrieval.compare(
        {
          corpus: 'shop_v1',
          golden: 'shop_golden_v1',
          retrievers: [{ kind: 'offline', id }],
          lenient: false,
          baseline: null,
          tolerance: null,
        },
        options,
      );
    const first = await compare('bm25');
    const other = await compare('default');
    expect(await compare('bm25')).toEqual(first);
    expect(other.results.map(({ retriever }) => retriever)).toEqual(['default']);

    await retrieval.remove({ kind: 'golden', version: 'shop_golden_v1' });
    const golden = JSON.parse(await readFile(goldenFile, 'utf8')) as { queries: object[] };
    await retrieval.importFile({
      kind: 'golden',
      fileName: 'shop_golden_v1.json',
      text: JSON.stringify({ ...golden, queries: golden.queries.slice(0, 2) }),
      lenient: false,
    });
    expect((await compare('bm25')).results.map(({ perQuery }) => perQuery.length)).toEqual([2]);
  });
});
