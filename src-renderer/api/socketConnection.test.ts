import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { maxFrameLength, pageTokenKey } from '../../src-shared/domain/connection.ts';
import { connect, createClient } from './connect.ts';
import { ConnectionLost } from './connection.ts';
import { connectBySocket } from './socketConnection.ts';

class FakeSocket extends EventTarget {
  readonly url: string;
  readonly protocols: string[];
  readonly sent: string[] = [];
  readyState = 0;

  constructor(url: string, protocols: string[]) {
    super();
    this.url = url;
    this.protocols = protocols;
    sockets.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  drop(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
  close(): void {
    this.drop();
  }
  send(message: string): void {
    this.sent.push(message);
  }
}

/** No other tab is open. */
class SilentChannel {
  onmessage: unknown = null;
  postMessage(): void {}
  close(): void {}
}

let sockets: FakeSocket[] = [];
let sessionStatus: number | 'unreachable' = 200;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  sessionStatus = 200;
  const stored = new Map([[pageTokenKey, 'secret']]);
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('BroadcastChannel', SilentChannel);
  vi.stubGlobal('location', { host: '127.0.0.1:8430' });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    clear: () => stored.clear(),
  });
  vi.stubGlobal('window', {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
  });
  vi.stubGlobal('fetch', async () => {
    if (sessionStatus === 'unreachable') throw new TypeError('failed to fetch');
    return new Response(null, { status: sessionStatus });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('opens the socket of its own host with the token of the page, outside the URL', () => {
  connect();
  expect(sockets[0]).toMatchObject({
    url: 'ws://127.0.0.1:8430/api/socket',
    protocols: ['touchstone', 'token.secret'],
  });
});

it('reopens a lost socket with growing pauses', async () => {
  const connection = connectBySocket();
  sockets[0]?.open();
  expect(connection.state()).toBe('open');
  sessionStatus = 'unreachable';
  sockets[0]?.drop();
  expect(connection.state()).toBe('lost');
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    const before = Date.now();
    while (sockets.length <= attempt) await vi.advanceTimersByTimeAsync(50);
    pauses.push(Date.now() - before);
    if (attempt < 7) sockets[attempt]?.drop();
  }
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  sockets[7]?.open();
  expect(connection.state()).toBe('open');
});

it('fails a call as ConnectionLost when the socket drops', async () => {
  const connection = connectBySocket();
  sockets[0]?.open();
  const failed = expect(createClient(connection).suites.list()).rejects.toBeInstanceOf(
    ConnectionLost,
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets[0]?.sent).toHaveLength(1);
  sockets[0]?.drop();
  await failed;
});

it.each([401, 403])('stops trying after the session is answered with %i', async (status) => {
  const connection = connectBySocket();
  sessionStatus = status;
  sockets[0]?.drop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.state()).toBe('refused');
  expect(sockets).toHaveLength(1);
});

it('refuses a tab without a token after a second without an answer of another tab', async () => {
  sessionStorage.clear();
  const connection = connectBySocket();
  expect(connection.state()).toBe('connecting');
  await vi.advanceTimersByTimeAsync(1000);
  expect(connection.state()).toBe('refused');
  expect(sockets).toEqual([]);
});

it('fails only the call whose message exceeds the limit of the host', async () => {
  const connection = connectBySocket();
  sockets[0]?.open();
  const text = 'é'.repeat(maxFrameLength / 2);
  await expect(
    createClient(connection).suites.previewImport({ fileName: 'x.yaml', text }),
  ).rejects.toThrow('larger than 80 MB');
  expect(sockets[0]?.sent).toEqual([]);
  expect(connection.state()).toBe('open');
});

it('stays closed after close', async () => {
  const connection = connectBySocket();
  sockets[0]?.open();
  connection.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
});
