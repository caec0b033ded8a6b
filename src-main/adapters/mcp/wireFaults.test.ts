import { afterEach, describe, expect, test } from 'vitest';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { never, troubleFrom, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createConnector } from './connect.ts';

afterEach(expectNoLeaks);

const nothing = (): Promise<void> => Promise.resolve();
const MB = 1_000_000;

describe('noise on the wire', () => {
  test.each(['banner', 'ansi', 'bom', 'crlf', 'nul', 'two-in-one', 'half-line', 'last-line-open'])(
    'T19: finds the messages in standard output with %s',
    async (mode) => {
      const listed = await withConnection(fakeStdioServer(mode), (connection) =>
        connection.listTools(never),
      );
      expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['echo']);
    },
  );

  test('T19: keeps a character that is split over two chunks', async () => {
    const listed = await withConnection(fakeStdioServer('split-text'), (connection) =>
      connection.listTools(never),
    );
    expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['grüße_🎈']);
  });

  test('T19: shows in the log what a server prints besides its messages', async () => {
    await withConnection(fakeStdioServer('banner'), async (connection) => {
      await connection.listTools(never);
      expect(connection.stderrTail()).toMatch(
        /\[stdout\] === ready ===\n\[stdout\] about to list:/,
      );
    });
  });
});

describe('violations of JSON-RPC', () => {
  test.each(['bad-rpc', 'bad-json', 'both-result-and-error'])(
    'T20: reports an answer of the kind %s at once',
    async (mode) => {
      const trouble = await troubleFrom(
        withConnection(fakeStdioServer(mode), (connection) => connection.listTools(never)),
      );
      expect(trouble.message).toMatch(
        /^Server "weather": tools\/list: the server's answer is not valid JSON-RPC: .*"id":\d+.* Fix the server/,
      );
    },
  );

  test('T20: reports an invalid answer over HTTP at once', async () => {
    for (const mode of ['bad-event', 'html']) {
      await using server = await startFakeHttpServer(mode);
      const trouble = await troubleFrom(
        withConnection(server.config(), (connection) => connection.listTools(never)),
      );
      expect(trouble.message).toMatch(
        /^Server "weather": tools\/list: (the server's answer is not valid JSON-RPC|the answer isn't an MCP message)/,
      );
    }
  });

  test('T20: ignores an answer with an unknown id', async () => {
    const listed = await withConnection(fakeStdioServer('wrong-id'), (connection) =>
      connection.listTools(never),
    );
    expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['echo', 'environment']);
  });

  test('T20: ignores a second answer, and an answer that comes after a cancel', async () => {
    await withConnection(fakeStdioServer('duplicate'), async (connection) => {
      for (const call of [1, 2, 3]) {
        const called = await connection.callTool('echo', { call }, never);
        expect(called.content).toEqual([{ type: 'text', text: 'first' }]);
      }
      expect(connection.stderrTail()).toContain('[ignored] answer to no waiting request');
    });
    await withConnection(fakeStdioServer('late-reply'), async (connection) => {
      const cancel = new AbortController();
      const slow = connection.callTool('slow', {}, cancel.signal);
      cancel.abort(new Error('cancelled'));
      await expect(slow).rejects.toThrow('cancelled');
      const called = await connection.callTool('echo', { text: 'next' }, never);
      expect(called.content).toEqual([{ type: 'text', text: '{"text":"next"}' }]);
      // The late answer did come: the cancel had reached the server.
      expect(connection.stderrTail()).toContain('[ignored] answer to no waiting request');
    });
  });

  test("reports the message of a server's own error answer", async () => {
    const trouble = await troubleFrom(
      withConnection(fakeStdioServer('list-error'), (connection) => connection.listTools(never)),
    );
    expect(trouble.message).toContain(
      'tools/list: the server answered with error -32603: The database is locked',
    );
  });
});

describe('floods', () => {
  test.each(['answer-50mb', 'no-newline-30mb'])(
    'T23: rejects an answer of the kind %s by its size without filling the memory',
    async (mode) => {
      const before = process.memoryUsage().rss;
      const config = fakeStdioServer(mode);
      const trouble = await troubleFrom(
        withConnection(config, (connection) => connection.callTool('echo', {}, never)),
      );
      expect(trouble.message).toContain(
        'Server "weather": tools/call: the server sent an answer larger than 25 MB.',
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
      // It can be started again.
      await withConnection(config, async (connection) =>
        expect((await connection.listTools(never)).tools).toHaveLength(2),
      );
    },
  );

  test.each(['answer-500mb', 'gzip-bomb', 'endless-event'])(
    'T24: stops reading %s over HTTP at the size limit',
    async (mode) => {
      const before = process.memoryUsage().rss;
      await using server = await startFakeHttpServer(mode);
      const limits = { messageBytes: 5 * MB };
      await withConnection(
        server.config(),
        async (connection) => {
          const trouble = await troubleFrom(connection.listTools(never));
          expect(trouble.message).toContain(
            'Server "weather": tools/list: the server sent an answer larger than 5 MB.',
          );
          expect((await connection.callTool('echo', {}, never)).isError).toBe(false);
        },
        { limits },
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
    },
  );

  test('T24: stops reading an endless event of the SSE transport', async () => {
    await using server = await startFakeHttpServer('endless-event', 'sse');
    const trouble = await troubleFrom(
      withConnection(server.config(), (connection) => connection.listTools(never), {
        limits: { messageBytes: 5 * MB },
      }),
    );
    expect(trouble.message).toContain('the server sent an answer larger than 5 MB.');
  });

  test('T25: connects while the server writes 200 MB to standard error', async () => {
    await withConnection(fakeStdioServer('stderr-flood'), async (connection) => {
      expect((await connection.listTools(never)).tools).toHaveLength(2);
      expect(connection.stderrTail().length).toBeLessThan(5000);
    });
  });
});

describe('servers that exit', () => {
  test('T28: reports exit code and error output of a server that exits at its start', async () => {
    const trouble = await troubleFrom(withConnection(fakeStdioServer('exit-at-start'), nothing));
    expect(trouble.message).toMatch(
      /^Server "weather": initialize: .*ended with exit code 3\. Its error output ends with: config\.json: no such file\. Run the command in a terminal/,
    );
  });

  test('T28: reports the line that names the error of a server whose script is missing', async () => {
    const missing = { ...fakeStdioServer(), args: ['/no/such/server.js'] };
    const trouble = await troubleFrom(withConnection(missing, nothing));
    expect(trouble.message).toMatch(
      /ended with exit code 1\. Its error output says: Error: Cannot find module '\/no\/such\/server\.js'\. Run the command/,
    );
  });

  test('T28: fails waiting calls as soon as the server exits', async () => {
    const started = performance.now();
    await withConnection(fakeStdioServer('exit-at-call'), async (connection) => {
      const troubles = await Promise.all(
        [1, 2, 3].map((call) => troubleFrom(connection.callTool('echo', { call }, never))),
      );
      for (const trouble of troubles) {
        expect(trouble.message).toMatch(
          /tools\/call: the connection was lost.*may not have taken effect\. It was not repeated\..*exit code 3\. Its error output ends with: out of luck/,
        );
      }
      expect((await troubleFrom(connection.listTools(never))).message).toContain('exit code 3');
    });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('T28: reports the signal that ended a server', async () => {
    const trouble = await troubleFrom(
      withConnection(fakeStdioServer('crash-at-call'), (connection) =>
        connection.callTool('echo', {}, never),
      ),
    );
    expect(trouble.message).toContain('was ended by signal SIGSEGV');
  });

  test('T28: fails a call if the server closes its pipes but keeps running', async () => {
    const trouble = await troubleFrom(
      withConnection(fakeStdioServer('broken-pipe'), (connection) =>
        connection.callTool('echo', {}, never),
      ),
    );
    expect(trouble.message).toContain(
      'tools/call: the connection was lost before the answer came.',
    );
  });

  test('T28: connects again after a server has exited', async () => {
    const connect = createConnector();
    const target = { name: 'weather', config: fakeStdioServer('exit-at-list') };
    for (const attempt of [1, 2]) {
      const connection = await connect(target, never);
      expect(
        (await troubleFrom(connection.listTools(never))).message,
        `attempt ${attempt}`,
      ).toContain('exit code 3');
      await connection.close();
    }
  });

  test('T29: fails without a retry when an event stream breaks off', async () => {
    await using server = await startFakeHttpServer('dropped-stream', 'events');
    const trouble = await troubleFrom(
      withConnection(server.config(), (connection) => connection.listTools(never)),
    );
    expect(trouble.message).toMatch(
      /tools\/list: the connection was lost|tools\/list: the connection was broken off/,
    );
    expect(server.requests().match(/^POST/gm)?.length).toBe(4);
  });

  test('reports what the server said with an HTTP status', async () => {
    await using server = await startFakeHttpServer('list-500');
    const trouble = await troubleFrom(
      withConnection(server.config(), (connection) => connection.listTools(never)),
    );
    expect(trouble.message).toContain('answered with HTTP 500: the database is locked');
  });
});

describe('lost sessions and changing lists', () => {
  test.each(['dead-session', 'dead-session-410'])(
    'T29: lists again in a new session when the server forgot the old one (%s)',
    async (mode) => {
      await using server = await startFakeHttpServer(mode);
      const listed = await withConnection(server.config(), (connection) =>
        connection.listTools(never),
      );
      expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['echo', 'environment']);
    },
  );

  test('T29: gives up on a server that forgets every session', async () => {
    await using server = await startFakeHttpServer('dead-session-always');
    const trouble = await troubleFrom(
      withConnection(server.config(), (connection) => connection.listTools(never)),
    );
    expect(trouble.message).toContain('no longer knows this session (HTTP 404)');
    expect(server.requests().match(/^POST/gm)?.length ?? 0).toBeLessThan(14);
  });

  test('T29: does not repeat a call whose session is lost and says that its result is unknown', async () => {
    await using server = await startFakeHttpServer('dead-session');
    const trouble = await troubleFrom(
      withConnection(server.config(), (connection) => connection.callTool('echo', {}, never)),
    );
    expect(trouble.message).toMatch(
      /no longer knows this session \(HTTP 404\)\. The call may or may not have taken effect\. It was not repeated\./,
    );
    const posts = server.requests().match(/^POST/gm)?.length ?? 0;
    expect(posts).toBeLessThanOrEqual(5);
  });

  test('T27: lists once although the server reports 10,000 changes of its list', async () => {
    await withConnection(fakeStdioServer('changing-list'), async (connection) => {
      const listed = await connection.listTools(never);
      expect(listed.tools.map(({ tool }) => tool.name)).toEqual(['echo', 'environment']);
      expect((await connection.callTool('echo', { a: 1 }, never)).isError).toBe(false);
      expect(connection.stderrTail().match(/asked for the list/g)).toHaveLength(1);
    });
  });
});
