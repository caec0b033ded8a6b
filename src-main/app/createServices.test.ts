import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServerConfig } from '../../src-shared/domain/server.ts';
import { listProcesses, readMarks, readProcess } from '../adapters/process/processTable.ts';
import { ownerOf } from '../adapters/process/runId.ts';
import { sweeping } from '../adapters/process/sweepLeftovers.ts';
import { createServices } from './createServices.ts';
import { databaseName } from './openWorkspace.ts';
import { systemClock } from '../runtime/clock.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { openStore } from '../store/store.ts';
import { fillEvaluations } from '../testing/fillEvaluations.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { fakeStdioServer } from '../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../testing/leakCheck.ts';
import { startLineChild } from '../testing/lineChild.ts';
import { temporaryFolder } from '../testing/temporaryFolder.ts';
import { testProgram } from '../testing/testPrograms.ts';

afterEach(expectNoLeaks);

const options = { signal: new AbortController().signal };
const child = testProgram('src-main/testing/servicesChild.ts');

// What a killed program left is looked for at the start of the program, which tests leave out.
beforeAll(() => void (sweeping.atStart = true));
afterAll(() => void (sweeping.atStart = false));

/** The processes that a program started, directly or not, whether it still runs or not. */
async function startedBy(pid: number): Promise<number[]> {
  const marks = await readMarks((await listProcesses()).map((row) => row.pid));
  return [...marks].flatMap(([own, { runId }]) => (ownerOf(runId ?? '')?.pid === pid ? [own] : []));
}

/** Polls until `count` processes run: nothing reports that a grandchild has started. */
async function startedByAtLeast(pid: number, count: number): Promise<number[]> {
  for (;;) {
    const found = await startedBy(pid);
    if (found.length >= count) return found;
  }
}

const alive = async (pids: readonly number[]): Promise<number[]> =>
  (await Promise.all(pids.map((pid) => readProcess(pid)))).flatMap((row) => row?.pid ?? []);

describe('createServices', () => {
  it('deletes what an earlier session removed behind the start', async () => {
    await using folder = await temporaryFolder();
    const parts = { host: 'loopback', folder: folder.path } as const;
    const migrationsFolder = programFiles.migrations;
    const file = join(folder.path, databaseName);
    const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'write' });
    const store = openStore(db, { clock: systemClock, nextId: randomUUID });
    const [gone = '', kept = ''] = fillEvaluations(db, store, { evaluations: 2, casesEach: 200 });
    store.evaluations.setDeleted(gone, systemClock.now());
    db.close();
    const opened = await createServices(parts);
    const reader = new Sqlite(file, { readonly: true });
    const left = reader.prepare('SELECT id FROM evaluations').pluck();
    try {
      await vi.waitFor(() => expect(left.all()).toEqual([kept]), { timeout: 60_000 });
      expect(reader.prepare('SELECT DISTINCT evaluation_id FROM runs').pluck().all()).toEqual([
        kept,
      ]);
    } finally {
      reader.close();
      await opened.close();
    }
  });

  it('T18: ends the process trees that a killed program left behind', async () => {
    await using folder = await temporaryFolder();
    await using program = startLineChild(child, [
      folder.path,
      JSON.stringify(fakeStdioServer('silent-family')),
    ]);
    expect(await program.nextLine()).toBe('registered');
    const tree = await startedByAtLeast(program.pid, 3);
    program.kill();
    await program.ended;

    const messages: string[] = [];
    const log = {
      info: (message: string) => messages.push(message),
      error: (message: string) => messages.push(message),
    };
    const opened = await createServices({ host: 'cli', folder: folder.path, log });
    expect(await opened.services.servers.list()).toMatchObject([
      { name: 'weather', status: 'inactive', checking: false },
    ]);
    await opened.close();
    expect(await alive(tree)).toEqual([]);
    expect(messages.filter((message) => message.includes('could not'))).toEqual([]);
  });

  it('T18: leaves the servers of another running copy alone', async () => {
    await using mine = await temporaryFolder();
    await using theirs = await temporaryFolder();
    await using program = startLineChild(child, [
      theirs.path,
      JSON.stringify(fakeStdioServer('silent-family')),
    ]);
    expect(await program.nextLine()).toBe('registered');
    const tree = await startedByAtLeast(program.pid, 3);
    const opened = await createServices({ host: 'cli', folder: mine.path });
    await opened.close();
    expect(await alive(tree)).toEqual(tree);
    program.kill();
    await program.ended;
    const next = await createServices({ host: 'cli', folder: mine.path });
    await next.close();
    expect(await alive(tree)).toEqual([]);
  });

  it('T17, T18: closes during a hanging check without waiting, and ends its process tree', async () => {
    await using folder = await temporaryFolder();
    const opened = await createServices({ host: 'cli', folder: folder.path });
    expect(
      await opened.services.servers.create({
        name: 'weather',
        config: fakeStdioServer('silent-family'),
      }),
    ).toMatchObject({ checking: true });
    // A second check replaces the first, whose process tree is still being ended.
    void opened.services.servers
      .check({ id: (await opened.services.servers.list())[0]!.id })
      .catch(() => undefined);
    const began = performance.now();
    await opened.close();
    expect(performance.now() - began).toBeLessThan(5 * 1_500);
    expect(await startedBy(process.pid)).toEqual([]);
  });

  it('reports its real version in the handshake', async () => {
    await using folder = await temporaryFolder();
    const said: string[] = [];
    const heard = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (chunk: string) => said.push(chunk))
        .on('end', () => {
          response.writeHead(500).end();
          heard.resolve();
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const opened = await createServices({ host: 'cli', folder: folder.path });
    const config: ServerConfig = {
      transport: 'streamable-http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
    };
    await opened.services.servers.create({ name: 'weather', config });
    // On a busy machine, the check goes on after the server was created.
    await heard.promise;
    expect((await opened.services.settings.info()).contactedHosts).toEqual([`127.0.0.1:${port}`]);
    await opened.close();
    server.close();
    expect(said.join('')).toContain(`"name":"touchstone","version":"${programFiles.version}"`);
  });

  it("keeps the bundled server's data in the open workspace, not in the home folder", async () => {
    await using folder = await temporaryFolder();
    await using home = await temporaryFolder();
    vi.stubEnv('HOME', home.path);
    const opened = await createServices({ host: 'cli', folder: folder.path, sample: true });
    try {
      const [todo] = await opened.services.servers.list();
      const called = await opened.services.servers.callTool(
        { id: todo!.id, tool: 'add_task', arguments: { user_id: 'u', title: 'milk' } },
        options,
      );
      expect(called).toMatchObject({ isError: false });
    } finally {
      await opened.close();
      vi.unstubAllEnvs();
    }
    expect(await readdir(folder.path)).toContain('todo.sqlite');
    expect(await readdir(home.path)).toEqual([]);
  });

  it('releases lock and database when a start fails, and closes twice safely', async () => {
    await using folder = await temporaryFolder();
    const datasets = programFiles.datasets;
    programFiles.datasets = join(folder.path, 'nowhere');
    try {
      await expect(
        createServices({ host: 'cli', folder: folder.path, sample: true }),
      ).rejects.toThrow('ENOENT');
    } finally {
      programFiles.datasets = datasets;
    }
    const opened = await createServices({ host: 'cli', folder: folder.path, sample: true });
    expect(await opened.services.suites.list()).toMatchObject([{ name: 'todo-sample' }]);
    await opened.close();
    // Closing again does nothing.
    await opened.close();
    expect((await readdir(folder.path)).filter((name) => /-(wal|shm)$|\.lock$/.test(name))).toEqual(
      [],
    );
  });

  it('T54: opens read-only next to a running window without taking its lock', async () => {
    await using folder = await temporaryFolder();
    const window = await createServices({ host: 'loopback', folder: folder.path, sample: true });
    const reader = await createServices({ host: 'cli', folder: folder.path, access: 'read' });
    expect(reader.lock).toBeNull();
    expect(await reader.services.settings.info()).toMatchObject({
      readOnly: true,
      host: 'cli',
      version: programFiles.version,
    });
    const servers = await reader.services.servers.list();
    expect(servers.map(({ name }) => name).sort()).toEqual(['calendar', 'files', 'mail', 'todo']);
    await expect(reader.services.settings.update({ theme: 'dark' })).rejects.toMatchObject({
      code: 'READ_ONLY',
    });
    await reader.close();
    await expect(createServices({ host: 'cli', folder: folder.path })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await window.close();
  });

  it('loads what is large only on use: the MCP SDK, the detectors, tables of tokens', async () => {
    // Each takes 10 to 20 MB, and no command needs them all.
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { createServices } = await import('${new URL('./createServices.ts', import.meta.url).href}');
      console.log(JSON.stringify(loaded));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { maxBuffer: 1 << 20 },
    );
    const loaded = JSON.parse(stdout) as string[];
    expect(loaded).toContainEqual(expect.stringMatching(/\/services\/evaluations\//u));
    const large =
      /node_modules\/(?:@modelcontextprotocol\/client|js-tiktoken)\/|\/learned\/weights/u;
    expect(loaded.filter((url) => large.test(url))).toEqual([]);
  });
});
