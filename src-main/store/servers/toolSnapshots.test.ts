import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultAppSettings } from '../../../src-shared/domain/settings.ts';
import type { ReceivedTool, ServerListing } from '../../../src-shared/domain/tool.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { openStore } from '../store.ts';
import type { NewModelSettings } from '../evaluations/modelSettings.ts';
import type { StoredListing } from './serverListings.ts';

let at: TestDatabase;
beforeEach(() => {
  at = createTestDatabase();
});
afterEach(() => at.close());

const listing = (server: string, over: Partial<ServerListing> = {}): ServerListing => ({
  server,
  serverId: `id of ${server}`,
  status: 'listed',
  error: null,
  instructions: 'Use me.',
  protocolVersion: '2025-11-25',
  serverInfo: { name: server, version: '1' },
  rejected: [{ server, name: 'bad', reason: 'no input schema' }],
  ...over,
});
const received = (server: string, name: string, description = 'Does it.'): ReceivedTool => {
  const inputSchema = { type: 'object', properties: { b: {}, a: {} } };
  const annotations = { readOnlyHint: true };
  return {
    tool: { server, name, title: 'T', description, inputSchema, outputSchema: null, annotations },
    raw: JSON.stringify({ name, title: 'T', description, inputSchema, annotations }),
  };
};
const tools = (...list: ReceivedTool[]) =>
  list.map((tool) => ({ serverId: `id of ${tool.tool.server}`, tool }));
const count = (table: string) => at.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

test('stores the same tools and the same snapshot only once', () => {
  const { toolSnapshots } = at.store;
  const content = { servers: [listing('s')], tools: tools(received('s', 'a'), received('s', 'b')) };
  const first = toolSnapshots.freeze(content);
  const again = toolSnapshots.freeze({
    servers: [JSON.parse(JSON.stringify({ ...listing('s'), rejected: listing('s').rejected }))],
    tools: tools(received('s', 'a'), received('s', 'b')),
  });
  expect(again).toEqual(first);
  expect([count('tool_snapshots'), count('snapshot_tools'), count('tool_contents')]).toEqual([
    1, 2, 2,
  ]);

  const third = toolSnapshots.freeze({
    servers: [listing('s'), listing('t')],
    tools: tools(received('s', 'a'), received('t', 'a')),
  });
  expect(third.id).not.toBe(first.id);
  expect([count('tool_snapshots'), count('snapshot_tools'), count('tool_contents')]).toEqual([
    2, 4, 2,
  ]);
});

test('creates another snapshot for another order, server, text or server information', () => {
  const { toolSnapshots } = at.store;
  const [a, b] = [received('s', 'a'), received('s', 'b')];
  const contents = [
    { servers: [listing('s')], tools: tools(a, b) },
    { servers: [listing('s')], tools: tools(b, a) },
    { servers: [listing('s')], tools: tools(a) },
    { servers: [listing('s')], tools: tools(a, received('s', 'b', 'Does it!')) },
    { servers: [listing('s')], tools: tools(a, b).map(({ tool }) => ({ serverId: null, tool })) },
    { servers: [listing('s', { instructions: null })], tools: tools(a, b) },
    { servers: [listing('s', { rejected: [] })], tools: tools(a, b) },
    {
      servers: [listing('s'), listing('t', { status: 'failed', error: 'no answer' })],
      tools: tools(a, b),
    },
    { servers: [], tools: [] },
  ];
  expect(new Set(contents.map((content) => toolSnapshots.freeze(content).id)).size).toBe(
    contents.length,
  );
});

test('reads frozen tools back in order, with every field and their exact text', () => {
  const { toolSnapshots } = at.store;
  const [b, a] = [received('s', 'b'), received('s', 'a', '')];
  const frozen = toolSnapshots.freeze({ servers: [listing('s')], tools: tools(b, a) });
  expect(frozen.servers).toEqual([listing('s')]);
  expect(frozen.tools).toEqual(
    [b, a].map(({ tool }) => ({
      ...tool,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      snapshotToolId: expect.any(Number),
    })),
  );
  expect(JSON.stringify(frozen.tools[0]?.inputSchema)).toBe(JSON.stringify(b.tool.inputSchema));
  expect(frozen.tools.map(({ hash }) => toolSnapshots.raw(hash))).toEqual([b.raw, a.raw]);
  expect(toolSnapshots.get(frozen.id)).toEqual(frozen);
  expect(toolSnapshots.get('nothing')).toBeNull();
  expect(() => toolSnapshots.raw('nothing')).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  );
});

test('keeps frozen tools and deletes listings when a server is deleted', () => {
  const { toolSnapshots, servers, serverListings } = at.store;
  const { id } = servers.insert({
    name: 's',
    url: 'u',
    config: { transport: 'stdio', command: 'c', args: [], cwd: null, env: {} },
  });
  const frozen = toolSnapshots.freeze({
    servers: [listing('s', { serverId: id })],
    tools: [{ serverId: id, tool: received('s', 'a') }],
  });
  const entry: StoredListing = {
    id: 'l',
    serverId: id,
    snapshotId: frozen.id,
    createdAt: at.clock.now(),
    askedBy: 'evaluation',
  };
  serverListings.add(entry);
  const server = servers.delete(id);
  expect(toolSnapshots.get(frozen.id)).toEqual(frozen);
  expect(serverListings.list(id)).toEqual([]);
  expect(() => serverListings.add(entry)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  servers.restore(server);
  serverListings.add(entry);
  expect(serverListings.latest(id)).toEqual(entry);
});

test('counts the tools of each server’s last successful listing in the overview', () => {
  const { toolSnapshots, servers, serverListings } = at.store;
  const make = (name: string) =>
    servers.insert({
      name,
      url: name,
      config: { transport: 'stdio', command: 'c', args: [], cwd: null, env: {} },
    }).id;
  const [one, two, none] = [make('one'), make('two'), make('none')];
  const list = (
    serverId: string,
    content: ReceivedTool[],
    status: 'listed' | 'failed' = 'listed',
  ) => {
    const { id } = toolSnapshots.freeze({
      servers: [listing('s', { status, error: status === 'failed' ? 'gone' : null })],
      tools: tools(...content),
    });
    const entry: StoredListing = {
      id: at.nextId(),
      serverId,
      snapshotId: id,
      createdAt: at.clock.now(),
      askedBy: 'person',
    };
    serverListings.add(entry);
    return entry;
  };
  list(one, [received('s', 'a'), received('s', 'b'), received('s', 'c')]);
  const good = list(one, [received('s', 'a'), received('s', 'b')]);
  const failed = list(one, [], 'failed');
  const empty = list(two, []);
  expect(serverListings.overview().sort((a, b) => a.toolCount - b.toolCount)).toEqual([
    { serverId: two, toolCount: 0, listedAt: empty.createdAt, changedTools: 0, changedItems: 0 },
    { serverId: one, toolCount: 2, listedAt: good.createdAt, changedTools: 0, changedItems: 0 },
  ]);
  expect(serverListings.latest(one)).toEqual(failed);
  expect(serverListings.list(one)).toHaveLength(3);
  expect(serverListings.list(one, 2)).toEqual([failed, good]);
  expect(serverListings.latest(none)).toBeNull();
});

test('keeps one immutable row for each different model configuration', () => {
  const { modelSettings } = at.store;
  const one: NewModelSettings = {
    provider: 'openai-compatible',
    model: 'm',
    timeout: 30,
    temperature: 0.4,
    maxRetries: 3,
    baseUrl: 'http://127.0.0.1:1/v1',
    replayFile: null,
    wireApi: 'chat',
    systemPrompt: null,
    sent: { temperature: 0.4, seed: null },
  };
  const made = modelSettings.insert(one);
  expect(made).toMatchObject({ ...one, id: made.id, createdAt: expect.any(String) });
  expect(modelSettings.insert({ ...one, sent: { seed: null, temperature: 0.4 } })).toEqual(made);
  const others: Partial<NewModelSettings>[] = [
    { baseUrl: null },
    { strict: true },
    { deferTools: true },
    { reasoningEffort: 'low' },
    { contextTokens: 8_000 },
    { requestsPerMinute: 60 },
    { api: 'responses' },
    { confidence: 'self_report' },
    { systemPrompt: '' },
    { sent: { temperature: 0.4 } },
    { wireApi: 'responses' },
    { temperature: 0.5 },
    { replayFile: 'f' },
  ];
  const ids = others.map((other) => modelSettings.insert({ ...one, ...other }).id);
  expect(new Set([made.id, ...ids]).size).toBe(1 + others.length);
  expect(modelSettings.get(made.id)).toEqual(made);
  expect(modelSettings.get('nothing')).toBeNull();
  expect(() => at.db.exec(`UPDATE model_settings SET temperature = 1`)).toThrow(/immutable/);
});

test('reads defaults for settings of other versions and keeps their rows', () => {
  const { settings } = at.store;
  expect(settings.get()).toEqual(defaultAppSettings);
  expect(settings.patch({ theme: 'dark', concurrency: 2, timeout: undefined })).toEqual({
    ...defaultAppSettings,
    theme: 'dark',
    concurrency: 2,
  });
  expect(() => settings.patch({ timeout: 0 })).toThrow();
  at.db.exec(
    `INSERT INTO settings VALUES ('from-the-future', '{"a":1}'), ('repetitions', '"many"'), ('highConfidence', '7')`,
  );
  at.db.exec(`UPDATE settings SET value = '"sepia"' WHERE key = 'theme'`);
  at.reopen();
  expect(at.store.settings.get()).toEqual({ ...defaultAppSettings, concurrency: 2 });
  at.store.settings.patch({ repetitions: 3 });
  expect(at.store.settings.get().repetitions).toBe(3);
  expect(count(`settings WHERE key = 'from-the-future'`)).toBe(1);
});

test('keeps a large tool in batches as it is frozen at once, and without its secrets', () => {
  const redact = (text: string): string => text.replaceAll('hunter2', '[secret]');
  const { toolSnapshots } = openStore(at.db, { ...at, redact });
  const contents = at.db.prepare<[], Record<string, unknown>>(
    'SELECT *, typeof(description) AS type, typeof(raw) AS raw_type FROM tool_contents',
  );
  const large = received('s', 'large', `${'Üben 😀 \ud83d '.repeat(50_000)}hunter2`);
  const servers = [listing('s')];

  toolSnapshots.freeze({ servers, tools: tools(large) });
  const { created_at: _frozenAt, ...frozen } = contents.get() ?? {};
  at.db.exec('DELETE FROM snapshot_tools; DELETE FROM tool_snapshots; DELETE FROM tool_contents');
  toolSnapshots.keep([toolSnapshots.prepare(large)]);
  const { created_at: _keptAt, ...kept } = contents.get() ?? {};

  expect(kept).toEqual(frozen);
  expect(kept).toMatchObject({ name: 'large', type: 'text', raw_type: 'text' });
  for (const column of ['description', 'raw']) {
    expect(kept[column]).toContain('😀');
    expect(kept[column]).toContain('[secret]');
    expect(kept[column]).not.toContain('hunter2');
  }
});
