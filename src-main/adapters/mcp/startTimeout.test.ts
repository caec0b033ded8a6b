import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { never, troubleFrom } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createConnector } from './connect.ts';
import { handshakeMs } from './limits.ts';
import type { ServerStart } from './mcpConnection.ts';

afterEach(expectNoLeaks);
afterEach(() => {
  vi.useRealTimers();
});

/** A connection that is under way, with what was reported of its start. */
async function starting(config: ServerConfig) {
  const begun = Promise.withResolvers<ServerStart>();
  let isStarting = false;
  const connect = createConnector({
    onStart: (start) => {
      isStarting = true;
      begun.resolve(start);
      return () => (isStarting = false);
    },
  });
  const cancel = new AbortController();
  const state = { settled: false };
  const connecting = connect({ name: 'weather', config }, cancel.signal);
  const watch = (): void => void (state.settled = true);
  connecting.then(watch, watch);
  const start = await begun.promise;
  return { connecting, start, state, cancel, isStarting: () => isStarting };
}

/** Lets processes work without any limit coming closer. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the limits pass, and the processes end. */
async function passUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const fakeTimeouts = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

describe('a stdio server that starts slowly', () => {
  test('is waited for while its process lives, for up to 60 s', async () => {
    await using folder = await temporaryFolder();
    const location = join(folder.path, 'ready');
    fakeTimeouts();
    const at = await starting(fakeStdioServer('slow-start', { location }));
    await until(() => at.start.wrote() !== '');
    expect(at.start.wrote()).toBe('npm http fetch GET 200 pkg');
    await vi.advanceTimersByTimeAsync(45_000);
    expect(at.state.settled).toBe(false);
    expect(at.isStarting()).toBe(true);
    await writeFile(location, '');
    await until(() => at.state.settled);
    expect(at.isStarting()).toBe(false);
    vi.useRealTimers();
    const connection = await at.connecting;
    expect((await connection.listTools(never)).tools).toHaveLength(2);
    await connection.close();
  });

  test.each<[string, Partial<ServerConfig>, RegExp, RegExp]>([
    [
      'slow-start',
      {},
      /^initialize: the process runs and wrote error output, but did not answer in 60 s\. It may still be starting\. Its error output ends with: npm http fetch GET 200 pkg\.$/,
      /installing or loading, set a longer start timeout, such as 120 s/,
    ],
    [
      'slow-silent',
      {},
      /^initialize: the process runs but wrote nothing in 60 s: no answer and no error output\.$/,
      /Check that the command starts an MCP server .*such as 120 s/,
    ],
    [
      'slow-http',
      {},
      /^initialize: the process runs and wrote to standard output, but not a message of MCP in 60 s: Listening on http/,
      /not one that waits for HTTP requests/,
    ],
    [
      'only-probe',
      {},
      /^initialize: the process runs and sent other messages, but no answer to initialize in 60 s\./,
      /must answer initialize/,
    ],
    ['slow-start', { startTimeoutMs: 90_000 }, /did not answer in 90 s/, /such as 180 s/],
  ])('says what %s showed when the time is over (%j)', async (mode, settings, cause, step) => {
    fakeTimeouts();
    const config = { ...fakeStdioServer(mode), ...settings } as ServerConfig;
    const at = await starting(config);
    if (mode !== 'slow-silent') await until(() => at.start.wrote() !== '');
    await vi.advanceTimersByTimeAsync(handshakeMs(config) - 30_000);
    expect(at.state.settled).toBe(false);
    await passUntil(() => at.state.settled);
    vi.useRealTimers();
    const { data } = await troubleFrom(at.connecting);
    expect(data.cause).toMatch(cause);
    expect(data.nextStep).toMatch(step);
  });

  test('is not waited for once its process has exited', async () => {
    // With a limit of an hour, only the exit can end the wait.
    const at = await starting({ ...fakeStdioServer('exit-at-start'), startTimeoutMs: 3_600_000 });
    expect((await troubleFrom(at.connecting)).data.cause).toMatch(
      /exit code 3\. Its error output ends with: config\.json: no such file/,
    );
  });

  test('can be canceled', async () => {
    const at = await starting(fakeStdioServer('slow-silent'));
    at.cancel.abort(new Error('canceled'));
    await expect(at.connecting).rejects.toThrow('canceled');
    expect(at.isStarting()).toBe(false);
  });
});

describe('handshakeMs', () => {
  const http = { transport: 'streamable-http' as const, url: 'http://127.0.0.1/', headers: {} };
  test.each<[string, ServerConfig, number]>([
    ['60 s for stdio', fakeStdioServer(), 60_000],
    ['10 s for HTTP', http, 10_000],
    ['10 s for SSE', { ...http, transport: 'sse' }, 10_000],
    ['what is set', { ...http, startTimeoutMs: 25_000 }, 25_000],
    ['the default where null is set', { ...fakeStdioServer(), startTimeoutMs: null }, 60_000],
  ])('is %s', (_what, config, ms) => {
    expect(handshakeMs(config)).toBe(ms);
  });
});
