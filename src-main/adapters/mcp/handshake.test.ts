import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Era } from '../../testing/fakeMcpServer/answer.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { tool } from '../../testing/fakeMcpServer/wire.ts';
import { never, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import type { Greeting, McpConnection } from './mcpConnection.ts';

afterEach(expectNoLeaks);

const listAll = async (connection: McpConnection) => {
  const { tools, rejected, ...greeting } = await connection.listTools(never);
  return { names: tools.map(({ tool: each }) => each.name), rejected, greeting };
};

/** What a server lists over each transport if its answers have other members. */
async function listsWith(replaced: Record<string, JsonObject>, era: Era = '2025-11-25') {
  await using folder = await temporaryFolder();
  const tools = join(folder.path, 'tools.json');
  await writeFile(tools, JSON.stringify({ tools: [tool('hello')], replaced }));
  const lists = [await withConnection(fakeStdioServer('normal', { tools, era }), listAll)];
  const shapes = era === '2025-11-25' ? (['json', 'events', 'sse'] as const) : (['json'] as const);
  for (const shape of shapes) {
    await using server = await startFakeHttpServer('normal', shape, { tools, era });
    lists.push(await withConnection(server.config(), listAll));
  }
  return lists;
}

const info = { name: 'fake-mcp-server', version: '1.2.3' };

describe('a handshake with members that are null or of another type', () => {
  test.each<[string, JsonObject, Partial<Greeting>]>([
    ['capabilities null', { capabilities: null }, {}],
    [
      'members of capabilities null',
      { capabilities: { experimental: null, logging: null, prompts: null, tools: null } },
      {},
    ],
    ['capabilities as a list', { capabilities: [] }, {}],
    ['capabilities as switches', { capabilities: { tools: true, prompts: false } }, {}],
    ['instructions null', { instructions: null }, { instructions: null }],
    ['instructions as a number', { instructions: 7 }, { instructions: null }],
    ['_meta null', { _meta: null }, {}],
    ['serverInfo null', { serverInfo: null }, { serverInfo: null }],
    ['a server without a name', { serverInfo: { name: null, version: '1' } }, { serverInfo: null }],
    [
      'a server without a version',
      { serverInfo: { name: 'x', version: null } },
      { serverInfo: { name: 'x', version: '' } },
    ],
    [
      'title, icons and address null',
      { serverInfo: { ...info, title: null, icons: null, websiteUrl: null } },
      { serverInfo: info },
    ],
    ['icons with a null', { serverInfo: { ...info, icons: [null] } }, { serverInfo: info }],
    ['protocolVersion null', { protocolVersion: null }, { protocolVersion: null }],
    ['protocolVersion as a number', { protocolVersion: 20251125 }, { protocolVersion: null }],
    ['an unknown protocolVersion', { protocolVersion: 'v1 β' }, { protocolVersion: 'v1 β' }],
    ['members of its own', { extension: { a: [1] } }, {}],
  ])('lists the tools of a server with %s', async (_what, initialize, greeting) => {
    for (const { names, rejected, greeting: read } of await listsWith({ initialize })) {
      expect(names).toEqual(['hello']);
      expect(rejected).toEqual([]);
      expect(read).toMatchObject(greeting);
    }
  });

  test.each<[string, JsonObject]>([
    ['capabilities null', { capabilities: null }],
    ['_meta null', { _meta: null }],
    ['instructions null', { instructions: null, resultType: null, ttlMs: null }],
  ])('lists the tools of a server of the later era with %s', async (_what, discover) => {
    for (const { names, greeting } of await listsWith(
      { 'server/discover': discover },
      '2026-07-28',
    )) {
      expect(names).toEqual(['hello']);
      expect(greeting.protocolVersion).toBe('2026-07-28');
    }
  });

  test.each<[string, JsonObject]>([
    ['_meta null', { _meta: null }],
    ['a null cursor', { nextCursor: null }],
    ['an empty cursor on every page', { nextCursor: '' }],
  ])('lists the tools of a list with %s', async (_what, list) => {
    for (const { names, rejected } of await listsWith({ 'tools/list': list })) {
      expect(names).toEqual(['hello']);
      expect(rejected).toEqual([]);
    }
  });
});
