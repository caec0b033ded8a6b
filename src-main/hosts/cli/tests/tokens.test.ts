import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { offlineRankers } from '../../../analysis/rankers/rankers.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { letterEmbeddings } from '../../../testing/fakeModelServer/fakeEmbeddings.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import { clientEnvironment, runCommand, type Ended } from '../../../testing/commandLine.ts';
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
        env: clientEnvironment(join(folder.path, 'workspace')),
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
      const { tools: found } = called.structuredContent as { tools: unknown[] };
      expect(found.map((tool) => ToolSchema.safeParse(tool).error)).toEqual(
        found.map(() => undefined),
      );
      expect(found).toHaveLength(3);
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

  it('ranks with the retriever that is chosen, and names those it has', async () => {
    const query = 'who may see this file';
    const find = async (retriever: string) =>
      run([
        ...['find-tool', '--tools', data('corpus_v1.json'), '--k', '3', '--json'],
        ...['--description', query, '--retriever', retriever],
      ]);
    const ids = async (retriever: string) =>
      (JSON.parse((await find(retriever)).stdout) as { tools: { tool_id: string }[] }).tools.map(
        ({ tool_id: id }) => id,
      );
    const corpus = JSON.parse(await readFile(data('corpus_v1.json'), 'utf8')) as {
      tools: {
        tool_id: string;
        server: string;
        tool: string;
        description: string;
        schema: object;
      }[];
    };
    const rankable = corpus.tools.map(({ tool, schema, ...rest }) => ({
      ...rest,
      name: tool,
      inputSchema: schema as JsonObject,
    }));
    for (const [id, ranker] of offlineRankers)
      expect([id, await ids(id)]).toEqual([
        id,
        ranker
          .index(rankable)
          .top(query, 3)
          .map(({ toolIndex }) => rankable[toolIndex]?.tool_id),
      ]);
    const unknown = await find('nope');
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(/Retriever nope: .*default, bm25, tfidf, hybrid/),
    ]);
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
      excluded: [],
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

  it('measures as a client, with the tokens of what it shows, and refuses one that it doesn’t know', async () => {
    const args = ['frontier', '--suite', 'todo-sample', '--provider', 'builtin', '--k', '2,all'];
    const measure = async (...more: string[]) => {
      const { code, stdout, stderr } = await run([...args, '--json', '--quiet', ...more]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as {
        client: string | null;
        points: { tokens: number; failed: number; accuracy: { n: number } }[];
      };
    };
    const [plain, shown] = [
      await measure('--client', 'cline'),
      await measure('--client', 'gemini-cli'),
    ];
    expect([plain.client, shown.client]).toEqual(['cline', 'gemini-cli']);
    expect((await measure()).client).toBeNull();
    // Gemini CLI adds a parameter with a text of its own to every tool.
    for (const [at, point] of shown.points.entries()) {
      expect(point.tokens).toBeGreaterThan(plain.points[at]?.tokens ?? Infinity);
      expect([point.failed, point.accuracy.n]).toEqual([0, plain.points[at]?.accuracy.n]);
    }
    expect((await run([...args, '--client', 'gemini-cli'])).stdout).toContain(
      'as Gemini CLI shows tools',
    );
    const unknown = await run([...args, '--client', 'gemini']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('gemini-cli')]);
  });

  it('counts what a model reads, with a client and without, and nothing else that a server publishes', async () => {
    const plain = {
      server: 'todo',
      name: 'add_task',
      description: 'Adds a task.',
      inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
    };
    const more = {
      ...{ title: 'Add a task', annotations: { title: 'Add', readOnlyHint: false } },
      outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    };
    const suite = await file('one.json', {
      ...{ version: 1, name: 'One', servers: ['todo'] },
      cases: [
        {
          id: 'a',
          name: 'a',
          query: 'Add a task',
          expected_calls: [{ server: 'todo', tool: 'add_task' }],
        },
      ],
    });
    const tokensOf = async (tool: object, ...args: string[]): Promise<number | undefined> => {
      const tools = await file('one-tool.json', { tools: [tool] });
      const { code, stdout, stderr } = await run([
        ...[
          'frontier',
          '--suite',
          suite,
          '--tools',
          tools,
          '--provider',
          'builtin',
          '--k',
          '1,all',
        ],
        ...['--json', '--quiet', ...args],
      ]);
      expect(code, stderr).toBe(0);
      return (JSON.parse(stdout) as { points: { tokens: number }[] }).points[0]?.tokens;
    };
    const counted = await tokensOf(plain);
    expect(counted).toBeGreaterThan(10);
    expect(await tokensOf({ ...plain, ...more })).toBe(counted);
    // Continue shows this tool as it is.
    expect(await tokensOf({ ...plain, ...more }, '--client', 'continue')).toBe(counted);
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
