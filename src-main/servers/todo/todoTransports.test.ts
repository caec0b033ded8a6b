import Sqlite from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { floodHttp, postMegabytes, requestAlone } from '../../testing/floodHttp.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { todoProgram } from '../../testing/todoProgram.ts';
import { serveTodoOverHttp } from './http.ts';

const start = (file: string) => spawn(process.execPath, [...todoProgram, file], { stdio: 'pipe' });

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
};
const call = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const lines = (...messages: object[]) =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

describe('over stdio', () => {
  test('answers every call that came before the end of the input', async () => {
    await using folder = await temporaryFolder();
    const child = start(join(folder.path, 'todo.sqlite'));
    const exit = once(child, 'exit');
    child.stdin.end(
      lines(
        hello,
        ...Array.from({ length: 20 }, (_, at) =>
          call(at + 1, 'add_task', { user_id: 'ann', title: `task ${at}` }),
        ),
      ),
    );
    const answers = (await text(child.stdout))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: { isError?: boolean } });
    expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 21 }, (_, at) => at),
    );
    expect(answers.some(({ result }) => result.isError)).toBe(false);
    expect(await text(child.stderr)).toBe('');
    expect(await exit).toEqual([0, null]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'exits on %s and leaves no write-ahead log',
    async (signal) => {
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'todo.sqlite');
      const child = start(file);
      const exit = once(child, 'exit');
      const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
      child.stdin.write(lines(hello, call(1, 'add_task', { user_id: 'ann', title: 'x' })));
      await answers.next();
      await answers.next();
      child.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(existsSync(`${file}-wal`)).toBe(false);
    },
  );

  test('survives garbage, and exits cleanly when its reader is gone', async () => {
    await using folder = await temporaryFolder();
    const child = start(join(folder.path, 'todo.sqlite'));
    const exit = once(child, 'exit');
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stdin.write(
      `garbage\n{"jsonrpc":"2.0"}\n\n${lines({ jsonrpc: '2.0', id: 9, method: 'ping' })}`,
    );
    expect(JSON.parse((await answers.next()).value as string)).toMatchObject({ id: 9, result: {} });
    child.stdout.destroy();
    child.stdin.write(lines({ jsonrpc: '2.0', id: 10, method: 'ping' }));
    child.stdin.on('error', () => undefined);
    expect(await exit).toEqual([0, null]);
    expect(await text(child.stderr)).not.toContain('    at ');
  });

  test('lets three processes write to one file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'todo.sqlite');
    const calls = Array.from({ length: 100 }, (_, at) =>
      call(at + 1, 'add_task', { user_id: `user ${at % 3}`, title: `task ${at}` }),
    );
    const outputs = await Promise.all(
      [start(file), start(file), start(file)].map((child) => {
        child.stdin.end(lines(hello, ...calls));
        return text(child.stdout);
      }),
    );
    expect(outputs.join('')).not.toContain('SERVER_ERROR');
    const db = new Sqlite(file, { readonly: true });
    expect(
      db
        .prepare('SELECT count(*), count(DISTINCT id), count(DISTINCT user_id) FROM todos')
        .raw()
        .get(),
    ).toEqual([300, 300, 3]);
    expect(db.prepare('SELECT count(*) FROM user').pluck().get()).toBe(3);
    db.close();
  });

  test('creates no database before the first call', async () => {
    await using folder = await temporaryFolder();
    const child = start(join(folder.path, 'todo.sqlite'));
    child.stdin.end(lines(hello, { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    await text(child.stdout);
    expect(existsSync(join(folder.path, 'todo.sqlite'))).toBe(false);
  });
});

/** One POST with exactly these headers; `fetch` would not let a test choose Host. */
async function post(
  url: string,
  message: object,
  headers: { host?: string; origin?: string; 'content-type'?: string } = {},
  method = 'POST',
) {
  const sent = request(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  sent.end(method === 'POST' ? JSON.stringify(message) : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('over HTTP', () => {
  test('refuses requests of another host or origin, as after DNS rebinding', async () => {
    await using folder = await temporaryFolder();
    const server = await serveTodoOverHttp({ file: join(folder.path, 'todo.sqlite'), port: 0 });
    const { host, port, pathname } = new URL(server.url);
    expect([host, pathname]).toEqual([`127.0.0.1:${port}`, '/mcp']);
    const add = call(1, 'add_task', { user_id: 'ann', title: 'x' });
    for (const headers of [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: '127.0.0.1' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `https://127.0.0.1:${port}` },
    ]) {
      expect((await post(server.url, add, headers)).status, JSON.stringify(headers)).toBe(403);
    }
    expect(existsSync(join(folder.path, 'todo.sqlite'))).toBe(false);
    for (const headers of [
      {},
      { host: `localhost:${port}` },
      { origin: `http://127.0.0.1:${port}` },
    ]) {
      const answer = await post(server.url, add, headers);
      expect(answer.status, answer.body).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect((await post(server.url.replace('/mcp', '/'), add)).status).toBe(404);
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'])
      expect((await post(server.url, add, {}, method)).status, method).toBe(405);
    expect((await post(server.url, add, { 'content-type': 'text/plain' })).status).toBe(415);
    await server.close();
  });

  test('T65: answers while a program holds 1,500 half-open connections', async () => {
    await using folder = await temporaryFolder();
    const server = await serveTodoOverHttp({ file: join(folder.path, 'todo.sqlite'), port: 0 });
    const flood = await floodHttp(Number(new URL(server.url).port), 1500, async () => {
      expect(await requestAlone(server.url, {})).toBe(405);
    });
    flood.end();
    await server.close();
  });

  test('T66: answers messages that are too large or no JSON with a readable error', async () => {
    await using folder = await temporaryFolder();
    const server = await serveTodoOverHttp({ file: join(folder.path, 'todo.sqlite'), port: 0 });
    for (const chunked of [false, true]) {
      const answer = await postMegabytes(server.url, 40, {}, chunked);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        413,
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32000, message: 'The message is larger than 4 MB.' },
        },
      ]);
    }
    expect(await postMegabytes(server.url, 1, {}, true)).toMatchObject({
      status: 400,
      body: expect.stringContaining('Parse error') as string,
    });
    await server.close();
  });

  test('reports a port in use and closes despite an idle connection', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'todo.sqlite');
    const server = await serveTodoOverHttp({ file, port: 0 });
    const port = Number(new URL(server.url).port);
    await expect(serveTodoOverHttp({ file, port })).rejects.toMatchObject({
      code: 'TROUBLE',
      data: { thing: `Port ${port} on 127.0.0.1`, cause: expect.stringContaining('EADDRINUSE') },
    });
    const half = connect(port, '127.0.0.1');
    await once(half, 'connect');
    half.write('POST /mcp HTTP/1.1\r\nHost: ');
    half.on('error', () => undefined);
    await server.close();
    await expect(post(server.url, hello)).rejects.toThrow(/ECONNREFUSED/);
    half.destroy();
  });

  test('hides internals in a SERVER_ERROR and recovers when the disk does', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'todo.sqlite');
    await mkdir(file);
    const log: string[] = [];
    const server = await serveTodoOverHttp({ file, port: 0, log: (line) => log.push(line) });
    const broken = await post(server.url, call(1, 'list_tasks', { user_id: 'ann' }));
    const error = { error: { code: 'SERVER_ERROR', message: 'Internal server error' } };
    expect(JSON.parse(broken.body)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        isError: true,
        structuredContent: error,
        content: [{ type: 'text', text: JSON.stringify(error) }],
      },
    });
    expect(log).toEqual([expect.stringMatching(/^list_tasks: /)]);
    await folder.remove();
    expect((await post(server.url, call(2, 'list_tasks', { user_id: 'ann' }))).body).toContain(
      '"count":0',
    );
    await server.close();
  });

  test('gives times in whole seconds and moves updated_at with each change', async () => {
    await using folder = await temporaryFolder();
    let now = '2026-02-13T10:30:00.789Z';
    const server = await serveTodoOverHttp({
      file: join(folder.path, 'todo.sqlite'),
      port: 0,
      clock: { now: () => now },
    });
    const ask = async (name: string, args: object) =>
      (
        JSON.parse((await post(server.url, call(1, name, { user_id: 'ann', ...args }))).body) as {
          result: { structuredContent: object };
        }
      ).result.structuredContent;
    const created = { created_at: '2026-02-13T10:30:00Z' };
    expect(await ask('add_task', { title: 'x' })).toMatchObject({
      ...created,
      updated_at: '2026-02-13T10:30:00Z',
    });
    now = '2026-02-13T11:00:01.000Z';
    expect(await ask('complete_task', { task_id: 1 })).toMatchObject({
      ...created,
      updated_at: '2026-02-13T11:00:01Z',
    });
    now = '2026-02-13T12:00:02.000Z';
    expect(await ask('update_task', { task_id: 1, title: 'y' })).toMatchObject({
      ...created,
      updated_at: '2026-02-13T12:00:02Z',
      completed: true,
    });
    await server.close();
  });
});
