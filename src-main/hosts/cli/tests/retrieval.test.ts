import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { letterEmbeddings } from '../../../testing/fakeModelServer/fakeEmbeddings.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder.remove();
});
const run = (args: readonly string[], input?: string): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const data = (name: string): string => join(programFiles.datasets, name);
const own = ['--corpus', data('corpus_v1.json'), '--golden', data('retrieval_golden_v1.json')];

interface Report {
  metrics: { recall_at: Record<string, number>; mrr: number };
  per_query: { id: string; ranking: string[] }[];
  gate: { passed: boolean; failed: string[] };
}

describe('retrieval', () => {
  it('passes its own baseline with the same bytes each time and opens no workspace', async () => {
    const first = await run([
      'retrieval',
      ...own,
      '--retriever',
      'default',
      '--baseline',
      data('baseline_v1.json'),
      '--json',
    ]);
    const second = await run([
      'retrieval',
      ...own,
      '--retriever',
      'default',
      '--baseline',
      data('baseline_v1.json'),
      '--json',
    ]);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(second.stdout).toBe(first.stdout);
    expect((JSON.parse(first.stdout) as Report).gate).toMatchObject({ passed: true, failed: [] });
    await expect(readFile(join(folder.path, 'workspace', 'touchstone.sqlite'))).rejects.toThrow(
      'ENOENT',
    );
  });

  it('ends with 1 for a worse retriever and names the metrics that fell short', async () => {
    const { code, stderr } = await run([
      'retrieval',
      ...own,
      '--retriever',
      'bm25',
      '--baseline',
      data('baseline_v1.json'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/recall_at_5, mrr, ndcg_at_10, map fell short/);
  });

  it('scores the ranking of a report with the numbers of that report', async () => {
    const report = JSON.parse(
      (await run(['retrieval', ...own, '--retriever', 'tfidf', '--json'])).stdout,
    ) as Report;
    const ranking = await file('ranking.json', {
      rankings: Object.fromEntries(report.per_query.map(({ id, ranking: ids }) => [id, ids])),
    });
    const scored = JSON.parse(
      (await run(['retrieval', ...own, '--ranking', ranking, '--json'])).stdout,
    ) as Report;
    expect(scored.metrics).toEqual(report.metrics);
  });

  it('gate decides on a saved report against a baseline, its tolerance and its version', async () => {
    const [good, bad] = [join(folder.path, 'good.json'), join(folder.path, 'bad.json')];
    await run([
      'retrieval',
      ...own,
      '--retriever',
      'default',
      '--report',
      good,
      '--save-baseline',
      join(folder.path, 'kept.json'),
    ]);
    await run(['retrieval', ...own, '--retriever', 'bm25', '--report', bad]);
    const baseline = ['--baseline', data('baseline_v1.json')];
    const passed = await run(['gate', good, ...baseline, '--json']);
    expect([passed.code, JSON.parse(passed.stdout)]).toEqual([
      0,
      { passed: true, failed: [], not_decided: [] },
    ]);
    expect((await run(['gate', good, '--baseline', join(folder.path, 'kept.json')])).code).toBe(0);
    const failed = await run(['gate', bad, ...baseline, '--json']);
    expect(failed.code).toBe(1);
    const { failed: metrics } = JSON.parse(failed.stdout) as { failed: string[] };
    expect(metrics.map((text) => text.split(' ')[0])).toEqual([
      'recall_at.5',
      'mrr',
      'ndcg_at_10',
      'map',
    ]);
    expect(
      (
        await run([
          'gate',
          bad,
          ...baseline,
          ...['recall_at_5', 'mrr', 'ndcg_at_10', 'map'].flatMap((metric) => [
            '--tolerance',
            `${metric}=0.9`,
          ]),
        ])
      ).code,
    ).toBe(0);
    const other = await run([
      'gate',
      good,
      '--baseline',
      await file('other.json', {
        ...(JSON.parse(await readFile(data('baseline_v1.json'), 'utf8')) as object),
        corpus_version: 'corpus_v9',
      }),
    ]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('corpus_v9')]);
    const report = JSON.parse(await readFile(good, 'utf8')) as { metrics: object };
    const lacking = await run([
      'gate',
      await file('lacking.json', { ...report, metrics: { ...report.metrics, mrr: null } }),
      ...baseline,
      '--json',
    ]);
    expect([
      lacking.code,
      (JSON.parse(lacking.stdout) as { not_decided: string[] }).not_decided,
    ]).toEqual([3, ['mrr is not defined in the report']]);
  });

  it.each([
    ['neither retriever nor ranking', [], /one of the two/],
    [
      'an unknown retriever',
      ['--retriever', 'nonsense'],
      /Retriever nonsense: There is none of this name/,
    ],
    ['embedding without an address', ['--retriever', 'embedding'], /needs --base-url/],
    [
      'mcp without a server',
      ['--retriever', 'mcp', '--search-tool', 'x'],
      /one of --server, --stdio and --url/,
    ],
    [
      'a baseline of another version',
      ['--retriever', 'bm25', '--baseline', data('external/retrieval/mcpproxy_v1/golden.json')],
      /Baseline golden\.json/,
    ],
  ])('ends with 2 for %s', async (_what, args, message) => {
    const { code, stdout, stderr } = await run(['retrieval', ...own, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it('sends the key to a compatible endpoint, and asks OpenAI for nothing without one', async () => {
    await using server = await startFakeModelServer({
      key: 'sk-canary-0123456789',
      embeddings: letterEmbeddings,
    });
    const corpus = await file('letters.json', {
      version: 'letters_v1',
      tools: ['aaaa', 'bbbb'].map((description, at) => ({
        tool_id: `s:t${at}`,
        server: 's',
        tool: `t${at}`,
        description,
        schema: {},
      })),
    });
    const golden = await file('letters_golden.json', {
      version: 'letters_golden_v1',
      corpus_version: 'letters_v1',
      queries: [{ id: 'q', query: 'bb', labels: [{ tool_id: 's:t1', relevance: 1 }] }],
    });
    const args = [
      'retrieval',
      '--corpus',
      corpus,
      '--golden',
      golden,
      '--retriever',
      'embedding',
      '--model',
      'letters',
    ];
    const env = {
      TOUCHSTONE_KEYCHAIN: 'off',
      OPENAI_API_KEY: '',
      OPENAI_COMPATIBLE_API_KEY: 'sk-canary-0123456789',
    };
    const workspace = join(folder.path, 'workspace');
    const { code, stdout } = await runCommand(
      [...args, '--base-url', `${server.origin}/v1`, '--json'],
      { workspace, env },
    );
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Report).per_query[0]?.ranking).toEqual(['s:t1', 's:t0']);
    const keyless = await runCommand(args, { workspace, env });
    expect([keyless.code, keyless.stderr]).toEqual([
      2,
      expect.stringMatching(/Provider openai: No API key is set/),
    ]);
  });

  it('tries and scores the search tool of an MCP server, which ranks as the default does', async () => {
    const stdio = `${process.execPath} ${testedProgram} find-tool --tools ${data('corpus_v1.json')} --k 160 --serve`;
    const search = [
      '--retriever',
      'mcp',
      '--stdio',
      stdio,
      '--search-tool',
      'find_tool',
      '--argument',
      'tool_description',
      '--items',
      'tools',
    ];
    const golden = JSON.parse(await readFile(data('retrieval_golden_v1.json'), 'utf8')) as {
      queries: unknown[];
    };
    const few = await file('few.json', { ...golden, queries: golden.queries.slice(0, 10) });
    const corpus = ['--corpus', data('corpus_v1.json'), '--golden', few];
    const tried = JSON.parse(
      (await run(['retrieval', ...corpus, ...search, '--try', 'who may see this file', '--json']))
        .stdout,
    ) as { ranking: string[]; unknown: string[] };
    expect(tried.unknown).toEqual([]);
    expect(tried.ranking.length).toBeGreaterThan(5);
    const scored = await run(['retrieval', ...corpus, ...search, '--json']);
    expect(scored.code).toBe(0);
    const own10 = JSON.parse(
      (await run(['retrieval', ...corpus, '--retriever', 'default', '--json'])).stdout,
    ) as Report;
    const { metrics, per_query } = JSON.parse(scored.stdout) as Report;
    expect(metrics.recall_at).toEqual(own10.metrics.recall_at);
    // The server gives only what has something in common with the query: a beginning of the whole
    // ranking.
    for (const [at, { ranking }] of per_query.entries())
      expect(own10.per_query[at]?.ranking.slice(0, ranking.length)).toEqual(ranking);
  });

  it('ends with 2 and names an id of a search tool that is not in the corpus', async () => {
    const stdio = `${process.execPath} ${testedProgram} find-tool --tools ${data('corpus_v1.json')} --serve`;
    const { code, stderr } = await run([
      'retrieval',
      ...own,
      '--retriever',
      'mcp',
      '--stdio',
      stdio,
      '--search-tool',
      'find_tool',
      '--argument',
      'tool_description',
      '--items',
      'tools',
      '--id',
      'other:{tool_id}',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/it named other:\S+, which is no tool of the corpus corpus_v1/);
  });
});

describe('tokens', () => {
  it('sums parts, tools and servers to the total, and fails an exceeded budget', async () => {
    const { code, stdout, stderr } = await run([
      'tokens',
      '--tools',
      data('corpus_v1.json'),
      '--budget',
      '100',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/more than the budget/);
    const document = JSON.parse(stdout) as {
      tools: { token_count: number; parts: Record<string, number> }[];
      servers: { token_count: number }[];
      total: number;
      budget: unknown;
    };
    for (const { token_count, parts } of document.tools)
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(token_count);
    expect(document.tools.reduce((sum, { token_count }) => sum + token_count, 0)).toBe(
      document.total,
    );
    expect(document.servers.reduce((sum, { token_count }) => sum + token_count, 0)).toBe(
      document.total,
    );
    expect(document.budget).toEqual({ limit: 100, passed: false });
  });

  it('counts the tools of a running server, and ends with 3 when another provides none', async () => {
    const alone = await run(['tokens', '--server', 'todo', '--json']);
    expect(alone.code).toBe(0);
    const listed = JSON.parse((await run(['tools', '--server', 'todo', '--json'])).stdout) as {
      tools: { tool_id: string; token_count: number }[];
    };
    const { tools } = JSON.parse(alone.stdout) as typeof listed;
    expect(tools.map(({ tool_id, token_count }) => [tool_id, token_count])).toEqual(
      listed.tools.map(({ tool_id, token_count }) => [tool_id, token_count]),
    );
    await run(['servers', 'add', 'dead', '--stdio', `${process.execPath} -e process.exit(3)`]);
    const both = await run(['tokens', '--server', 'todo', 'dead', '--json']);
    expect(both.code).toBe(3);
    expect(both.stderr).toMatch(/dead/);
    expect((JSON.parse(both.stdout) as { tools: unknown[] }).tools.length).toBe(tools.length);
  });
});

describe('find-tool', () => {
  it('returns at most k tools and computes the savings from their tokens', async () => {
    const { code, stdout } = await run([
      'find-tool',
      '--tools',
      data('corpus_v1.json'),
      '--description',
      'take somebody’s access to a document away',
      '--k',
      '3',
      '--json',
    ]);
    expect(code).toBe(0);
    const { tools, token_metrics: m } = JSON.parse(stdout) as {
      tools: { tool_id: string; token_count: number }[];
      token_metrics: Record<string, number>;
    };
    expect(tools.length).toBe(3);
    expect(tools[0]?.tool_id).toBe('drive:revoke_access');
    expect(m['returned_tokens']).toBe(tools.reduce((sum, { token_count }) => sum + token_count, 0));
    expect(m['tokens_saved']).toBe((m['baseline_tokens'] ?? 0) - (m['returned_tokens'] ?? 0));
    expect(m['savings_percentage']).toBeCloseTo(
      (100 * (m['tokens_saved'] ?? 0)) / (m['baseline_tokens'] ?? 1),
      9,
    );
  });

  it('serves find_tool over MCP with the command’s own answer', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const tools = data('corpus_v1.json');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [testedProgram, 'find-tool', '--tools', tools, '--k', '3', '--serve'],
        env: { TOUCHSTONE_HOME: join(folder.path, 'workspace') },
      }),
    );
    try {
      const { tools: offered } = await client.listTools();
      expect(offered.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
        ['find_tool', ['tool_description']],
      ]);
      const words = 'take somebody’s access to a document away';
      const called = await client.callTool({
        name: 'find_tool',
        arguments: { tool_description: words, tool_keywords: '' },
      });
      const printed = await run([
        'find-tool',
        '--tools',
        tools,
        '--description',
        words,
        '--k',
        '3',
        '--json',
      ]);
      expect(called.structuredContent).toEqual(JSON.parse(printed.stdout));
      expect(JSON.parse((called.content as { text: string }[])[0]?.text ?? '')).toEqual(
        called.structuredContent,
      );
      const refused = await client.callTool({
        name: 'find_tool',
        arguments: { tool_keywords: 'x' },
      });
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'VALIDATION_ERROR' } },
      });
      await expect(client.callTool({ name: 'another', arguments: {} })).rejects.toThrow(
        /Unknown tool: another/,
      );
    } finally {
      await client.close();
    }
  });

  it('reports savings of 0 for an empty list of tools', async () => {
    const { code, stdout } = await run([
      'find-tool',
      '--tools',
      await file('none.json', { tools: [] }),
      '--description',
      'x',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      tools: [],
      token_metrics: {
        baseline_tokens: 0,
        returned_tokens: 0,
        tokens_saved: 0,
        savings_percentage: 0,
      },
    });
  });
});

describe('frontier and top k', () => {
  it('measures every k and retriever, with fewer tokens for fewer tools and no failed run', async () => {
    const { code, stdout } = await run([
      'frontier',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      '--k',
      '1,2,all',
      '--retriever',
      'default,bm25',
      '--json',
      '--quiet',
    ]);
    expect(code).toBe(0);
    const { points, answers } = JSON.parse(stdout) as {
      points: {
        k: number | 'all';
        retriever: string | null;
        tokens: number;
        failed: number;
        accuracy: { value: number; n: number };
      }[];
      answers: { retriever: string; sentence: string }[];
    };
    expect(points.map(({ k, retriever }) => [k, retriever])).toEqual([
      [1, 'default'],
      [2, 'default'],
      [1, 'bm25'],
      [2, 'bm25'],
      ['all', null],
    ]);
    expect(
      points.every(({ failed, accuracy }) => failed === 0 && accuracy.n === points[0]?.accuracy.n),
    ).toBe(true);
    const [one, two, , , all] = points;
    expect(one?.tokens).toBeLessThan(two?.tokens ?? 0);
    expect(two?.tokens).toBeLessThan(all?.tokens ?? 0);
    expect(answers.map(({ retriever }) => retriever)).toEqual(['default', 'bm25']);
  });

  it('takes an external retriever by its options and refuses one without', async () => {
    await using server = await startFakeModelServer({ embeddings: letterEmbeddings });
    const args = [
      'frontier',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      '--k',
      '1,all',
      '--retriever',
      'embedding',
      '--json',
      '--quiet',
    ];
    const neither = await run(args);
    expect([neither.code, neither.stdout]).toEqual([2, '']);
    expect(neither.stderr).toMatch(/No embedding retriever is set up\. Give --embedding-model/);
    expect(
      (await run([...args.slice(0, 8), 'bm25', '--embedding-model', 'letters'])).stderr,
    ).toMatch(/need --retriever embedding/);
    const { code, stdout } = await run([
      ...args,
      '--embedding-model',
      'letters',
      '--embedding-url',
      `${server.origin}/v1`,
    ]);
    expect(code).toBe(0);
    const { points } = JSON.parse(stdout) as {
      points: { retriever: string | null; failed: number }[];
    };
    expect(points).toMatchObject([
      { retriever: `letters at ${new URL(server.origin).host}`, failed: 0 },
      { retriever: null, failed: 0 },
    ]);
  });

  it('runs eval with --top-k, and ends with 2 for --retriever without it', async () => {
    const { code, stdout } = await run([
      'eval',
      '--suite',
      'todo-sample',
      '--provider',
      'builtin',
      '--top-k',
      '1',
      '--retriever',
      'bm25',
      '--json',
      '--quiet',
    ]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { counts: { failed: number } }).counts.failed).toBe(0);
    expect(
      (
        await run([
          'eval',
          '--suite',
          'todo-sample',
          '--provider',
          'builtin',
          '--retriever',
          'bm25',
        ])
      ).code,
    ).toBe(2);
    expect(
      (await run(['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--top-k', '0'])).code,
    ).toBe(2);
    expect(
      (
        await run([
          'eval',
          '--suite',
          'todo-sample',
          '--provider',
          'builtin',
          '--top-k',
          '2',
          '--retriever',
          'nonsense',
        ])
      ).code,
    ).toBe(2);
  });
});
