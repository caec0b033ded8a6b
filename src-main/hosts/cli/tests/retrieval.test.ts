import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { writeTinyEncoder } from '../../../adapters/llm/embeddings/local/tinyEncoder.fixture.ts';
import { letterEmbeddings } from '../../../testing/fakeModelServer/fakeEmbeddings.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { externalFile } from '../../../testing/externalData.ts';

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
  it('warns of a query that names a tool it is labeled with, and scores it', async () => {
    const tools = ['find_events', 'create_event'].map((tool) => ({
      tool_id: `calendar:${tool}`,
      server: 'calendar',
      tool,
      description: 'Works with the calendar.',
    }));
    const query = (id: string, text: string) => ({
      id,
      query: text,
      labels: [{ tool_id: 'calendar:find_events', relevance: 2 }],
    });
    const { code, stdout, stderr } = await run([
      'retrieval',
      ...['--corpus', await file('named.json', { version: 'named', tools })],
      '--golden',
      await file('naming.json', {
        corpus_version: 'named',
        queries: [query('q1', 'What is on today?'), query('q2', 'Call findEvents for today')],
      }),
      ...['--retriever', 'bm25', '--json'],
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('Warning: q2: The query names the tool calendar:find_events');
    expect(stderr).toContain('Ask for the same in words');
    expect(stderr).not.toContain('q1:');
    expect((JSON.parse(stdout) as Report).per_query).toHaveLength(2);
  });

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
    expect(stderr).toMatch(/recall_at_5, mrr, ndcg_at_10, map fell below/);
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
    ['neither retriever nor ranking', [], /either --retriever/],
    ['an unknown retriever', ['--retriever', 'nonsense'], /Retriever nonsense: It doesn't exist/],
    ['embedding without an address', ['--retriever', 'embedding'], /needs --base-url/],
    [
      'mcp without a server',
      ['--retriever', 'mcp', '--search-tool', 'x'],
      /one of --server, --stdio and --url/,
    ],
    [
      'a baseline of another version',
      ['--retriever', 'bm25', '--baseline', externalFile('retrieval/mcpproxy_v1/golden.json')],
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

  it('ranks by an encoder in a folder, and names a folder that does not exist', async () => {
    const corpus = await file('tiny-corpus.json', {
      version: 'tiny',
      tools: ['send_mail', 'delete_file'].map((tool) => ({
        tool_id: `a:${tool}`,
        server: 'a',
        tool,
        description: tool === 'send_mail' ? 'Sends mail.' : 'Deletes a file.',
      })),
    });
    const golden = await file('tiny-golden.json', {
      version: 'tiny_golden',
      corpus_version: 'tiny',
      queries: [
        { id: 'q1', query: 'a letter', labels: [{ tool_id: 'a:send_mail', relevance: 2 }] },
      ],
    });
    const encoder = join(folder.path, 'encoder');
    await writeTinyEncoder(encoder, { letter: [1, 0.1], mail: [1, 0], file: [0, 1] });
    const args = ['--corpus', corpus, '--golden', golden, '--retriever', 'embedding', '--model'];
    const found = await run(['retrieval', ...args, encoder, '--json']);
    expect([found.code, found.stderr]).toEqual([0, '1/1 queries\n']);
    expect((JSON.parse(found.stdout) as Report).per_query[0]?.ranking[0]).toBe('a:send_mail');
    const missing = await run(['retrieval', ...args, join(folder.path, 'nowhere')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/Encoder nowhere: .*doesn't exist/);
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
    expect(stderr).toMatch(/it named other:\S+, which isn't a tool of the corpus corpus_v1/);
  });
});
