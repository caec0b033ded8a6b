import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { watchLoop } from '../../testing/watchLoop.ts';
import { never, troubleFrom, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import type { ListedTools } from './mcpConnection.ts';

afterEach(expectNoLeaks);

const list = (mode: string): Promise<ListedTools> =>
  withConnection(fakeStdioServer(mode), (connection) => connection.listTools(never));
const names = (listed: ListedTools): string[] => listed.tools.map(({ tool }) => tool.name);

describe('tools/list', () => {
  test('T21: lists all three pages', async () => {
    expect(names(await list('three-pages'))).toEqual([
      'page_0_a',
      'page_0_b',
      'page_1_a',
      'page_1_b',
      'page_2_a',
      'page_2_b',
    ]);
  });

  test('T21: continues after an empty cursor and ends at null', async () => {
    expect(names(await list('empty-cursor'))).toEqual(['first', 'second']);
    expect(names(await list('null-cursor'))).toEqual(['only']);
  });

  test.each([
    ['same-cursor', 'the server sent the same cursor twice'],
    ['endless-pages', 'the list has more than 1000 pages'],
    ['too-many-tools', 'the list has more than 10000 tools'],
    ['number-cursor', "has a cursor that isn't a string"],
    ['no-list', 'has no list of tools'],
  ])('T21: fails with the reason for a list of the kind %s', async (mode, cause) => {
    const trouble = await troubleFrom(list(mode));
    expect(trouble.message).toContain(`Server "weather": tools/list:`);
    expect(trouble.message).toContain(cause);
  });

  test.each([
    ['bad-null-schema', 'bad', 'Its inputSchema is null, not an object.'],
    ['bad-no-name', '(tool 25)', 'It has no name.'],
    ['bad-no-object', '(tool 25)', "It isn't an object."],
    [
      'bad-duplicate',
      'tool_3',
      'The server lists another tool with this name first; that one is kept.',
    ],
  ])('T21: rejects one bad tool of fifty and keeps the others (%s)', async (mode, name, reason) => {
    for (const era of ['2025-11-25', '2026-07-28'] as const) {
      const listed = await withConnection(fakeStdioServer(mode, { era }), (connection) =>
        connection.listTools(never),
      );
      expect(listed.tools).toHaveLength(49);
      expect(listed.rejected).toEqual([{ server: 'weather', name, reason }]);
      expect(listed.tools.find(({ tool }) => tool.name === 'tool_3')?.tool.description).toBe(
        'Does tool_3.',
      );
    }
  });

  test('T21: accepts tools with unusual optional fields', async () => {
    const { tools, rejected } = await list('odd-but-usable');
    expect(rejected).toEqual([]);
    const tool = (name: string): (typeof tools)[number]['tool'] | undefined =>
      tools.find((received) => received.tool.name === name)?.tool;
    expect(tool('bad_ref')?.outputSchema).toEqual({ $ref: 'https://nowhere.invalid/schema.json' });
    expect(tool('long')?.description).toHaveLength(1024 * 1024);
    expect(tool('bare')).toMatchObject({
      description: '',
      title: null,
      outputSchema: null,
      annotations: null,
    });
    expect(tool('odd_parts')).toMatchObject({ title: null, outputSchema: null, annotations: null });
    expect(tool('whole')).toMatchObject({
      title: 'A title',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object' },
    });
  });

  test('keeps the text of a tool as the server sent it, in the order of its keys', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'tools.json');
    const sent =
      '{"zeta":1,"name":"späť","inputSchema":{"type":"object","required":["b","a"],"properties":{"b":{},"a":{"const":1.50}}},"description":"d"}';
    await writeFile(path, `{"tools":[${sent}]}`);
    const exact = sent.replace('1.50', '1.5');
    for (const era of ['2025-11-25', '2026-07-28'] as const) {
      const overStdio = await withConnection(
        fakeStdioServer('normal', { tools: path, era }),
        (connection) => connection.listTools(never),
      );
      expect(overStdio.tools.map(({ raw }) => raw)).toEqual([exact]);
      for (const shape of ['json', 'events'] as const) {
        await using server = await startFakeHttpServer('normal', shape, { tools: path, era });
        const overHttp = await withConnection(server.config(), (connection) =>
          connection.listTools(never),
        );
        expect(overHttp.tools.map(({ raw }) => raw)).toEqual([exact]);
      }
    }
  });

  test.each(['stdio', 'json', 'events'] as const)(
    'T22: does not block the event loop while it lists 5,000 tools of 20 MB over %s',
    async (wire) => {
      const measure = async (config: Parameters<typeof withConnection>[0]): Promise<number> =>
        withConnection(config, async (connection) => {
          using loop = watchLoop();
          const listed = await connection.listTools(never);
          const { computingMs } = loop.take();
          expect(listed.tools).toHaveLength(5000);
          expect(listed.tools.reduce((sum, { raw }) => sum + raw.length, 0)).toBeGreaterThan(
            20_000_000,
          );
          return computingMs;
        });
      if (wire === 'stdio')
        return expect(await measure(fakeStdioServer('many-tools'))).toBeLessThan(1000);
      await using server = await startFakeHttpServer('many-tools', wire);
      // Five times the bound: other tests share the process and its garbage collector.
      expect(await measure(server.config())).toBeLessThan(1000);
    },
  );
});
