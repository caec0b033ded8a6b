import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { builtinModelName } from '../../../../src-shared/domain/provider.ts';
import type { ServerConfig, StdioConfig } from '../../../../src-shared/domain/server.ts';
import { createServices, type OpenServices } from '../../../app/createServices.ts';
import { serveTodoOverHttp } from '../../../servers/todo/http.ts';
import { expectNoLeaks } from '../../../testing/leakCheck.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

const options = { signal: new AbortController().signal };
const require = createRequire(import.meta.url);

function installed(
  name: string,
  args: string[] = [],
  env: Record<string, string> = {},
): StdioConfig {
  const entry = join(
    dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)),
    'dist',
    'index.js',
  );
  return { transport: 'stdio', command: process.execPath, args: [entry, ...args], cwd: null, env };
}

interface Case {
  query: string;
  /** Null: no tool should be called. */
  tool: string | null;
  parameters?: Record<string, string>;
}

/** Follows the steps of a user: register, list, import a suite, evaluate, read the result. */
async function evaluate(
  { services }: OpenServices,
  name: string,
  config: ServerConfig,
  cases: readonly Case[],
) {
  const server = await services.servers.create({ name, config });
  expect(await services.servers.check({ id: server.id })).toMatchObject({
    status: 'active',
    statusReason: null,
  });
  const listing = await services.servers.refreshTools({ id: server.id }, options);
  expect(listing.listing).toMatchObject({ status: 'listed', rejected: [] });
  for (const { tokenCount } of listing.tools) expect(tokenCount).toBeGreaterThan(0);

  const file = {
    version: 1,
    name,
    servers: [name],
    cases: cases.map(({ query, tool, parameters }, index) => ({
      id: `c${index}`,
      name: query,
      query,
      expected_calls:
        tool === null ? [] : [{ server: name, tool, ...(parameters ? { parameters } : {}) }],
    })),
  };
  const suite = await services.suites.import(
    { fileName: `${name}.suite.json`, text: JSON.stringify(file), replace: false },
    options,
  );
  const request = evaluationSettings.parse({
    suiteId: suite.id,
    models: [{ provider: 'builtin', model: builtinModelName }],
  });
  expect((await services.evaluations.plan(request)).problems).toEqual([]);
  const { id } = await services.evaluations.start(request);
  const events: EvaluationEvent[] = [];
  for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, options))
    events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'ended', state: 'completed' });
  const summary = await services.evaluations.summary({ id, modelSettingsId: null });
  expect(summary.counts).toMatchObject({ failed: 0, open: 0, total: cases.length });
  const snapshot = await services.evaluations.snapshot({ id });
  expect(snapshot?.tools.map(({ hash }) => hash)).toEqual(listing.tools.map(({ hash }) => hash));
  const { rows } = await services.evaluations.runs({
    id,
    filter: {},
    sort: 'position',
    descending: false,
    offset: 0,
    limit: 100,
  });
  return { listing, summary, selected: rows.map((row) => row.selected.join(', ')) };
}

async function withServices<T>(
  folder: string,
  act: (opened: OpenServices) => Promise<T>,
): Promise<T> {
  const opened = await createServices({ host: 'cli', folder });
  try {
    return await act(opened);
  } finally {
    await opened.close();
  }
}

describe('published servers', () => {
  test('server-everything is evaluated and leaves no process behind', async () => {
    await using folder = await temporaryFolder();
    const { selected } = await withServices(folder.path, (opened) =>
      evaluate(opened, 'everything', installed('server-everything'), [
        {
          query: 'Echo back the message "hello there"',
          tool: 'echo',
          parameters: { message: 'hello there' },
        },
        { query: 'What is the sum of 3 and 4?', tool: 'get-sum' },
        { query: 'Thanks, that was all', tool: null },
      ]),
    );
    expect(selected).toEqual(['everything:echo', 'everything:get-sum', '(no tool)']);
  });

  test.runIf(isNightly)('server-filesystem is evaluated without touching its files', async () => {
    await using folder = await temporaryFolder();
    const { listing, selected } = await withServices(folder.path, (opened) =>
      evaluate(opened, 'files', installed('server-filesystem', [folder.path]), [
        {
          query: `Create a new directory at ${join(folder.path, 'pictures')}`,
          tool: 'create_directory',
        },
        { query: 'Search for files whose name matches *.md', tool: 'search_files' },
      ]),
    );
    expect(listing.tools.length).toBeGreaterThan(10);
    expect(selected).toEqual(['files:create_directory', 'files:search_files']);
    expect(await readdir(folder.path)).not.toContain('pictures');
  });

  test.runIf(isNightly)('server-memory is evaluated', async () => {
    await using folder = await temporaryFolder();
    const config = installed('server-memory', [], {
      MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl'),
    });
    const { selected } = await withServices(folder.path, (opened) =>
      evaluate(opened, 'memory', config, [
        { query: 'Read the entire knowledge graph', tool: 'read_graph' },
        {
          query: 'Delete the entities Ada and Grace from the knowledge graph',
          tool: 'delete_entities',
        },
      ]),
    );
    expect(selected).toEqual(['memory:read_graph', 'memory:delete_entities']);
  });

  test.runIf(isNightly)('three servers at once keep their tools apart', async () => {
    await using folder = await temporaryFolder();
    await withServices(folder.path, async (opened) => {
      const { services } = opened;
      const configs = {
        everything: installed('server-everything'),
        files: installed('server-filesystem', [folder.path]),
        memory: installed('server-memory', [], {
          MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl'),
        }),
      };
      for (const [name, config] of Object.entries(configs))
        await services.servers.create({ name, config });
      const cases = [
        ['everything', 'echo', 'Echo back the message "hi"'],
        ['files', 'create_directory', 'Create a new directory at /tmp/pictures'],
        ['memory', 'read_graph', 'Read the entire knowledge graph'],
      ] as const;
      const text = JSON.stringify({
        version: 1,
        name: 'all',
        servers: Object.keys(configs),
        cases: cases.map(([server, tool, query], index) => ({
          id: `c${index}`,
          name: query,
          query,
          expected_calls: [{ server, tool }],
        })),
      });
      const suite = await services.suites.import(
        { fileName: 'all.suite.json', text, replace: false },
        options,
      );
      const { id } = await services.evaluations.start(
        evaluationSettings.parse({
          suiteId: suite.id,
          models: [{ provider: 'builtin', model: builtinModelName }],
        }),
      );
      for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, options))
        if (event.type === 'ingested')
          expect(event.servers.map(({ server, status }) => [server, status])).toEqual(
            Object.keys(configs).map((name) => [name, 'listed']),
          );
      expect((await services.evaluations.get({ id })).counts).toMatchObject({
        tp: 3,
        failed: 0,
        total: 3,
      });
    });
  });
});

const todoCases: Case[] = [
  { query: 'Add a task: buy milk', tool: 'add_task' },
  { query: 'Show me my tasks', tool: 'list_tasks' },
  { query: 'Delete task 3', tool: 'delete_task' },
  { query: 'What is the weather like in Ulm?', tool: null },
];
const todoAnswers = ['todo:add_task', 'todo:list_tasks', 'todo:delete_task', '(no tool)'];

describe('the bundled server', () => {
  test('is evaluated over stdio with the command of a new workspace', async () => {
    await using folder = await temporaryFolder();
    const config: StdioConfig = {
      transport: 'stdio',
      command: 'touchstone',
      args: ['serve-todo', '--stdio'],
      cwd: null,
      env: {},
    };
    const { selected, listing } = await withServices(folder.path, (opened) =>
      evaluate(opened, 'todo', config, todoCases),
    );
    expect(listing.tools).toHaveLength(5);
    expect(selected).toEqual(todoAnswers);
  });

  test.runIf(isNightly)('gives the same answers over HTTP', async () => {
    await using folder = await temporaryFolder();
    const server = await serveTodoOverHttp({ file: join(folder.path, 'todo.sqlite'), port: 0 });
    try {
      const config: ServerConfig = { transport: 'streamable-http', url: server.url, headers: {} };
      const { selected } = await withServices(folder.path, (opened) =>
        evaluate(opened, 'todo', config, todoCases),
      );
      expect(selected).toEqual(todoAnswers);
    } finally {
      await server.close();
    }
  });
});
