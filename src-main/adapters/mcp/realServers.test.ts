/* oxlint-disable typescript/no-deprecated -- servers of the older transport are what is tested here */
import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StdioConfig } from '../../../src-shared/domain/server.ts';
import { never, troubleFrom, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

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

describe('published servers over stdio', () => {
  test('lists the tools of server-everything and calls one', async () => {
    await withConnection(installed('server-everything'), async (connection) => {
      const listed = await connection.listTools(never);
      expect(listed.rejected).toEqual([]);
      expect(listed.instructions).not.toBeNull();
      expect(listed.tools.map(({ tool }) => tool.name)).toContain('echo');
      expect((await connection.callTool('echo', { message: 'hello' }, never)).content).toEqual([
        { type: 'text', text: 'Echo: hello' },
      ]);
    });
  });

  test('lists the prompts, resources and templates of server-everything', async () => {
    const { items, lists } = await withConnection(installed('server-everything'), (connection) =>
      connection.listItems(never),
    );
    expect(lists.map(({ status, rejected }) => [status, rejected.length])).toEqual([
      ['listed', 0],
      ['listed', 0],
      ['listed', 0],
    ]);
    const of = (kind: string) => items.flatMap(({ item }) => (item.kind === kind ? [item] : []));
    expect(of('prompt').map(({ name }) => name)).toContain('args-prompt');
    expect(of('prompt').find(({ name }) => name === 'args-prompt')?.arguments).toContainEqual(
      expect.objectContaining({ name: 'city', required: true }),
    );
    expect(of('resource').every(({ uri }) => uri?.startsWith('demo://'))).toBe(true);
    expect(of('template').some(({ uri }) => uri?.includes('{'))).toBe(true);
  });

  test('lists the tools of server-filesystem, which asks its client for roots', async () => {
    await using folder = await temporaryFolder();
    await withConnection(installed('server-filesystem', [folder.path]), async (connection) => {
      const listed = await connection.listTools(never);
      expect(listed.tools.map(({ tool }) => tool.name)).toEqual(
        expect.arrayContaining(['read_text_file', 'list_directory']),
      );
      const called = await connection.callTool('list_directory', { path: '/' }, never);
      expect(called.isError).toBe(true);
    });
  });

  test('lists the tools of server-memory', async () => {
    await using folder = await temporaryFolder();
    const config = installed('server-memory', [], {
      MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl'),
    });
    const listed = await withConnection(config, (connection) => connection.listTools(never));
    expect(listed.tools.map(({ tool }) => tool.name)).toEqual(
      expect.arrayContaining(['create_entities', 'read_graph']),
    );
    for (const { tool, raw } of listed.tools)
      expect(JSON.parse(raw)).toMatchObject({ name: tool.name, inputSchema: tool.inputSchema });
  });
});

function weather(): McpServer {
  const server = new McpServer(
    { name: 'weather', version: '4.5.6' },
    { instructions: 'Ask for the weather.' },
  );
  server.registerTool(
    'forecast',
    { description: 'Tells the weather.', inputSchema: { city: z.string() } },
    ({ city }) => ({ content: [{ type: 'text', text: `Rain in ${city}` }] }),
  );
  return server;
}

async function listening(server: HttpServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** One session per initialize, as the SDK's own examples do it. */
function streamableServer(
  sessions: Map<string, StreamableHTTPServerTransport>,
  ended: string[],
  enableJsonResponse: boolean,
): HttpServer {
  return createServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return void known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${sessions.size}`,
      enableJsonResponse,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void ended.push(session),
    });
    // The SDK's own transport type is stricter on optional members than its server's.
    void weather()
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
}

describe('servers of the first SDK over HTTP', () => {
  test.each([true, false])(
    'T31: lists, calls and ends a streamable HTTP session (plain JSON answers: %s)',
    async (json) => {
      const sessions = new Map<string, StreamableHTTPServerTransport>();
      const ended: string[] = [];
      const server = streamableServer(sessions, ended, json);
      try {
        const url = `${await listening(server)}/mcp`;
        await withConnection(
          { transport: 'streamable-http', url, headers: {} },
          async (connection) => {
            const listed = await connection.listTools(never);
            expect(listed).toMatchObject({
              protocolVersion: '2025-11-25',
              serverInfo: { name: 'weather', version: '4.5.6' },
              instructions: 'Ask for the weather.',
            });
            expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['forecast']);
            expect((await connection.callTool('forecast', { city: 'Ulm' }, never)).content).toEqual(
              [{ type: 'text', text: 'Rain in Ulm' }],
            );
            expect((await connection.callTool('forecast', { city: 5 }, never)).isError).toBe(true);
          },
        );
        expect(ended).toEqual([...sessions.keys()]);
      } finally {
        await stop(server);
      }
    },
  );

  test.each(['sse', 'streamable-http'] as const)(
    'T31: lists and calls an SSE server configured as %s, and reports its end',
    async (transport) => {
      const streams = new Map<string, SSEServerTransport>();
      const server = createServer((request, response) => {
        const url = new URL(request.url ?? '/', 'http://local');
        const known = streams.get(url.searchParams.get('sessionId') ?? '');
        if (request.method === 'POST' && known !== undefined)
          return void known.handlePostMessage(request, response);
        if (request.method !== 'GET') return void response.writeHead(404).end();
        const stream = new SSEServerTransport('/messages', response);
        streams.set(stream.sessionId, stream);
        void weather().connect(stream);
      });
      try {
        const url = `${await listening(server)}/sse`;
        await withConnection({ transport, url, headers: {} }, async (connection) => {
          const listed = await connection.listTools(never);
          expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['forecast']);
          expect((await connection.callTool('forecast', { city: 'Ulm' }, never)).content).toEqual([
            { type: 'text', text: 'Rain in Ulm' },
          ]);
          server.closeAllConnections();
          const trouble = await troubleFrom(connection.listTools(never));
          expect(trouble.message).toMatch(
            /^Server "weather": tools\/list: the connection was (lost|closed)/,
          );
        });
      } finally {
        await stop(server);
      }
    },
  );
});
