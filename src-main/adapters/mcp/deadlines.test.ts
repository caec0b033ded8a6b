import { afterEach, describe, expect, test } from 'vitest';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { never, troubleFrom, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createConnector } from './connect.ts';

afterEach(expectNoLeaks);

const nothing = (): Promise<void> => Promise.resolve();

describe('deadlines and cancellation', () => {
  test.each(['silent-initialize', 'deaf'])(
    'T17: times out at initialize for a server in mode %s',
    async (mode) => {
      const started = performance.now();
      const trouble = await troubleFrom(
        withConnection(fakeStdioServer(mode), nothing, { deadlines: { startMs: 1000 } }),
      );
      expect(trouble.message).toMatch(
        /^Server "weather": initialize: the process runs but wrote nothing in 1 s: no answer and no error output\. Check/,
      );
      expect(trouble.code).toBe('TROUBLE');
      // The limit, and the time that a stubborn process may take to end.
      expect(performance.now() - started).toBeLessThan(3000);
    },
  );

  test('T17: times out at initialize over HTTP', async () => {
    for (const shape of ['json', 'sse'] as const) {
      await using server = await startFakeHttpServer('silent-initialize', shape);
      const trouble = await troubleFrom(
        withConnection(server.config(), nothing, { deadlines: { connectMs: 500 } }),
      );
      expect(trouble.message).toContain('initialize: no answer in 500 ms.');
    }
  });

  test('T17: times out a silent tools/list or tools/call and still answers the other request', async () => {
    await withConnection(
      fakeStdioServer('silent-list'),
      async (connection) => {
        const trouble = await troubleFrom(connection.listTools(never));
        expect(trouble.message).toMatch(/^Server "weather": tools\/list: no answer in 300 ms\./);
        expect((await connection.callTool('echo', {}, never)).isError).toBe(false);
      },
      { deadlines: { listMs: 300 } },
    );
    await withConnection(
      fakeStdioServer('silent-call'),
      async (connection) => {
        const [trouble, listed] = await Promise.all([
          troubleFrom(connection.callTool('echo', {}, never)),
          connection.listTools(never),
        ]);
        expect(trouble.message).toMatch(/^Server "weather": tools\/call: no answer in 300 ms\./);
        expect(listed.tools).toHaveLength(2);
      },
      { deadlines: { callMs: 300 } },
    );
  });

  test('T17: times out on a half-sent answer over HTTP', async () => {
    await using server = await startFakeHttpServer('stalled-body');
    await withConnection(
      server.config(),
      async (connection) =>
        expect((await troubleFrom(connection.listTools(never))).message).toContain(
          'tools/list: no answer in 300 ms.',
        ),
      { deadlines: { listMs: 300 } },
    );
  });

  test('T17: cancels without waiting for a silent server', async () => {
    const reason = new Error('the user pressed Cancel');
    const connect = createConnector();
    const cancel = new AbortController();
    const connecting = connect(
      { name: 'weather', config: fakeStdioServer('silent-initialize') },
      cancel.signal,
    );
    setImmediate(() => cancel.abort(reason));
    const started = performance.now();
    await expect(connecting).rejects.toBe(reason);
    expect(performance.now() - started).toBeLessThan(1000);

    await withConnection(fakeStdioServer('silent-list'), async (connection) => {
      const later = new AbortController();
      const listing = connection.listTools(later.signal);
      later.abort(reason);
      await expect(listing).rejects.toBe(reason);
    });
  });

  test('T17: closes within its limit if the server never reads its input', async () => {
    const connect = createConnector();
    const connection = await connect({ name: 'weather', config: fakeStdioServer('family') }, never);
    const started = performance.now();
    await Promise.all([connection.close(), connection.close()]);
    expect(performance.now() - started).toBeLessThan(4000);
    expect((await troubleFrom(connection.listTools(never))).message).toContain(
      'the connection is closed. Connect to the server again.',
    );
  });

  test('T18: ends a server with a grandchild and a setsid child that ignore SIGTERM', async () => {
    // The leak check after the test looks for every process with our run id.
    await withConnection(fakeStdioServer('family'), async (connection) =>
      expect((await connection.listTools(never)).tools).toHaveLength(2),
    );
  });

  test('T26: times out a call that only ever reports progress', async () => {
    await withConnection(
      fakeStdioServer('progress'),
      async (connection) =>
        expect((await troubleFrom(connection.callTool('echo', {}, never))).message).toContain(
          'tools/call: no answer in 500 ms.',
        ),
      { deadlines: { callMs: 500 } },
    );
  });
});
