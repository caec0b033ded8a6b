import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { never, troubleFrom, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createConnector } from './connect.ts';
import type { McpConnection } from './mcpConnection.ts';
import type { WireEvent } from './wireTap.ts';

afterEach(expectNoLeaks);

const names = (listed: { tools: readonly { tool: { name: string } }[] }): string[] =>
  listed.tools.map(({ tool }) => tool.name);

const version = (connection: McpConnection): Promise<string | null> =>
  Promise.resolve(connection.protocolVersion);

describe('connecting', () => {
  test('reports the instructions, version and tools of a server', async () => {
    const listed = await withConnection(fakeStdioServer(), (connection) =>
      connection.listTools(never),
    );
    expect(listed).toMatchObject({
      instructions: 'Ask me anything.',
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'fake-mcp-server', version: '1.2.3' },
      rejected: [],
    });
    expect(names(listed)).toEqual(['echo', 'environment']);
  });

  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2026-07-28'],
    ['both', '2026-07-28'],
  ] as const)(
    'T31: lists and calls a server of the era %s over stdio and HTTP',
    async (era, expected) => {
      await withConnection(fakeStdioServer('normal', { era }), async (connection) => {
        expect(connection.protocolVersion).toBe(expected);
        expect(names(await connection.listTools(never))).toEqual(['echo', 'environment']);
        expect((await connection.callTool('echo', { text: 'hi' }, never)).content).toEqual([
          { type: 'text', text: '{"text":"hi"}' },
        ]);
      });
      for (const shape of ['json', 'events'] as const) {
        await using server = await startFakeHttpServer('normal', shape, { era });
        await withConnection(server.config(), async (connection) => {
          expect(connection.protocolVersion).toBe(expected);
          expect(names(await connection.listTools(never))).toEqual(['echo', 'environment']);
          expect(
            (await connection.callTool('echo', { text: 'hi' }, never)).structuredContent,
          ).toEqual({ echoed: true });
        });
      }
    },
  );

  test('says why a listing failed without what the server said about the probe', async () => {
    const { data } = await troubleFrom(
      withConnection(fakeStdioServer('complain-and-exit'), (connection) =>
        connection.listTools(never),
      ),
    );
    expect(data.cause).toMatch(
      /^tools\/list: .*exit code 3\. .*ends with: The database is locked\.$/,
    );
  });

  test('T31: connects to a server that exits on an unknown first request', async () => {
    await withConnection(fakeStdioServer('picky'), async (connection) => {
      expect(connection.protocolVersion).toBe('2025-11-25');
      expect(names(await connection.listTools(never))).toEqual(['echo', 'environment']);
    });
  });

  test('T31: connects to a server that does not answer an unknown first request', async () => {
    const options = { probeMs: 200 };
    expect(await withConnection(fakeStdioServer('silent-discover'), version, options)).toBe(
      '2025-11-25',
    );
    await using server = await startFakeHttpServer('silent-discover');
    expect(await withConnection(server.config(), version, options)).toBe('2025-11-25');
  });

  test.each([
    ['over HTTP', () => startFakeHttpServer('silent-discover')],
    [
      'over stdio',
      () =>
        Promise.resolve({
          config: () => fakeStdioServer('silent-discover'),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
    ],
  ])(
    'T31: asks a server that ignores the first request of the later era once, %s',
    async (_how, start) => {
      await using server = await start();
      const sent: string[] = [];
      const tap = (event: WireEvent): void => {
        if (event.kind === 'sent') sent.push((JSON.parse(event.text) as { method: string }).method);
      };
      const connect = createConnector({ probeMs: 200 });
      for (let time = 0; time < 3; time += 1) {
        const connection = await connect({ name: 'weather', config: server.config(), tap }, never);
        expect(connection.protocolVersion).toBe('2025-11-25');
        await connection.close();
      }
      expect(sent.filter((method) => method === 'server/discover')).toHaveLength(1);
      expect(sent.filter((method) => method === 'initialize')).toHaveLength(3);
    },
  );

  test('T31: recognizes that such a server speaks the later era now', async () => {
    let isLater = false;
    const http = createServer((request, response) => {
      void text(request).then((body) => {
        const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
        const answer = (part: object) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, ...part }));
        if (id === undefined) response.writeHead(202).end();
        else if (method === 'server/discover' && isLater)
          answer({ result: { supportedVersions: ['2026-07-28'], capabilities: {} } });
        else if (method === 'initialize')
          answer(
            isLater
              ? { error: { code: -32601, message: 'Method not found' } }
              : { result: { protocolVersion: '2025-11-25', capabilities: {} } },
          );
      });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const config = {
      transport: 'streamable-http' as const,
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
    };
    const connect = createConnector({ probeMs: 200 });
    const versions: (string | null)[] = [];
    for (const later of [false, false, true]) {
      isLater = later;
      const connection = await connect({ name: 'weather', config }, never);
      versions.push(connection.protocolVersion);
      await connection.close();
    }
    http.closeAllConnections();
    http.close();
    expect(versions).toEqual(['2025-11-25', '2025-11-25', '2026-07-28']);
  });

  test('T31: recognizes a slow server of the later era', async () => {
    expect(
      await withConnection(fakeStdioServer('slow-discover', { era: '2026-07-28' }), version, {
        probeMs: 300,
      }),
    ).toBe('2026-07-28');
  });

  test('T31: falls back to SSE if streamable HTTP was configured', async () => {
    await using server = await startFakeHttpServer('normal', 'sse');
    for (const transport of ['streamable-http', 'sse'] as const) {
      const listed = await withConnection({ ...server.config(), transport }, (connection) =>
        connection.listTools(never),
      );
      expect(names(listed)).toEqual(['echo', 'environment']);
    }
  });

  test('T31: rejects an event stream that names a message address of another origin', async () => {
    await using elsewhere = await startFakeHttpServer();
    await using server = await startFakeHttpServer('foreign-endpoint', 'sse', {
      location: elsewhere.url,
    });
    const trouble = await troubleFrom(
      withConnection(server.config({ Authorization: 'Bearer secret' }), () => Promise.resolve()),
    );
    expect(trouble.message).toMatch(/^Server "weather": connect: .*origin/);
    expect(elsewhere.requests()).toBe('');
  });

  test('T30: does not follow a redirect to another origin', async () => {
    await using elsewhere = await startFakeHttpServer();
    await using server = await startFakeHttpServer('redirect', 'json', {
      location: `${elsewhere.url}?token=x`,
    });
    const trouble = await troubleFrom(
      withConnection(server.config({ Authorization: 'Bearer secret' }), () => Promise.resolve()),
    );
    expect(trouble.data.cause).toContain(
      `the server redirects to ${elsewhere.url}, another origin`,
    );
    expect(trouble.message).not.toContain('token=x');
    expect(server.requests()).toContain('authorization=Bearer secret');
    expect(elsewhere.requests()).toBe('');
  });

  test('reports refused credentials and an absent server differently', async () => {
    await using server = await startFakeHttpServer('unauthorized');
    const refused = await troubleFrom(withConnection(server.config(), () => Promise.resolve()));
    expect(refused.message).toMatch(/HTTP 401.*token/);
    await server.close();
    const absent = await troubleFrom(withConnection(server.config(), () => Promise.resolve()));
    expect(absent.message).toMatch(
      /connect: nothing is listening at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
    );
    const absentStream = await troubleFrom(
      withConnection({ ...server.config(), transport: 'sse' }, () => Promise.resolve()),
    );
    expect(absentStream.message).toMatch(
      /connect: nothing is listening at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
    );
  });

  test('T28: explains a missing command, a file that is not executable and a missing folder', async () => {
    const trouble = (config: Partial<ReturnType<typeof fakeStdioServer>>): Promise<Error> =>
      troubleFrom(withConnection({ ...fakeStdioServer(), ...config }, () => Promise.resolve()));
    expect((await trouble({ command: 'no-such-program' })).message).toMatch(
      /^Server "weather": connect: The command "no-such-program" was not found\. Check the command/,
    );
    expect((await trouble({ command: '/tmp' })).message).toMatch(
      /can't be executed\. Make the file executable/,
    );
    expect((await trouble({ cwd: '/no/such/folder' })).message).toMatch(
      /The folder "\/no\/such\/folder" does not exist/,
    );
  });

  test('starts the bundled server without finding it on the PATH', async () => {
    const real = fakeStdioServer();
    const listed = await withConnection(
      { ...real, command: 'touchstone', args: ['--era', 'both'] },
      (connection) => connection.listTools(never),
      {
        self: { command: real.command, args: real.args },
      },
    );
    expect(listed.protocolVersion).toBe('2026-07-28');
  });

  test('T33: passes only configured environment variables to a server', async () => {
    process.env['TOUCHSTONE_TEST_CANARY'] = 'canary';
    try {
      const config = { ...fakeStdioServer(), env: { WEATHER_KEY: 'own entry' } };
      const called = await withConnection(config, (connection) =>
        connection.callTool('environment', {}, never),
      );
      const seen = JSON.parse((called.content[0] as { text: string }).text) as Record<
        string,
        string
      >;
      expect(seen['WEATHER_KEY']).toBe('own entry');
      expect(seen['TOUCHSTONE_TEST_CANARY']).toBeUndefined();
    } finally {
      delete process.env['TOUCHSTONE_TEST_CANARY'];
    }
  });
});
