import { expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { SuitesService } from './suitesService.ts';

const options = { signal: new AbortController().signal };
const text = [
  'version: 1',
  'name: S',
  'servers: [tasks]',
  'cases:',
  '  - { id: a, name: a, query: q, expected_calls: [{ server: tasks, tool: add }],',
  '      allowed_calls: [{ server: tasks, tool: list }] }',
  '',
].join('\n');

/** Registers a server as if a person had checked it. */
function addServer({ store, nextId, clock }: TestDatabase, server: string, tools: string[]): void {
  const url = `http://127.0.0.1:1/${server}`;
  const { id: serverId } = store.servers.insert({
    name: server,
    url,
    config: { transport: 'streamable-http', url, headers: {} },
  });
  const { id: snapshotId } = store.toolSnapshots.freeze({
    servers: [
      {
        server,
        serverId,
        status: 'listed',
        error: null,
        instructions: null,
        protocolVersion: null,
        serverInfo: null,
        rejected: [],
      },
    ],
    tools: tools.map((name) => {
      const tool = {
        server,
        name,
        title: null,
        description: '',
        inputSchema: { type: 'object' },
        outputSchema: null,
        annotations: null,
      };
      return { serverId, tool: { tool, raw: JSON.stringify(tool) } };
    }),
  });
  store.serverListings.add({
    id: nextId(),
    serverId,
    snapshotId,
    createdAt: clock.now(),
    askedBy: 'person',
  });
}

test('suggests the only server that has all tools of an unknown one', async () => {
  using database = createTestDatabase();
  addServer(database, 'todo', ['add', 'list', 'remove']);
  addServer(database, 'files', ['list']);
  const suites = new SuitesService({ store: database.store });
  const preview = await suites.previewImport({ fileName: 'x', text }, options);
  expect(preview.unknownServers).toEqual([{ name: 'tasks', tools: 2, suggestion: 'todo' }]);
  addServer(database, 'todo2', ['list', 'add']);
  const ambiguous = await suites.previewImport({ fileName: 'x', text }, options);
  expect(ambiguous.unknownServers).toMatchObject([{ suggestion: null }]);
});

test('imports a suite with the chosen names of its servers, as the preview shows it', async () => {
  using database = createTestDatabase();
  addServer(database, 'todo', ['add', 'list']);
  const suites = new SuitesService({ store: database.store });
  const given = { fileName: 'x', text, serverNames: { tasks: 'todo' } };
  const preview = await suites.previewImport(given, options);
  expect(preview).toMatchObject({
    unknownServers: [],
    firstCases: [{ key: 'a', query: 'q', expectedCalls: [{ server: 'todo', tool: 'add' }] }],
  });
  const suite = await suites.import({ ...given, replace: false }, options);
  expect(suite.servers).toEqual(['todo']);
  expect(await suites.cases({ suiteId: suite.id })).toMatchObject([
    {
      expectedCalls: [{ server: 'todo', tool: 'add' }],
      allowedCalls: [{ server: 'todo', tool: 'list' }],
    },
  ]);
});
