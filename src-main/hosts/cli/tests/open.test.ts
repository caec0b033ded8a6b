import { once } from 'node:events';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseName } from '../../../app/openWorkspace.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { openDatabase } from '../../../store/database/openDatabase.ts';
import { runCommand, startCommand } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

interface Shown {
  id: string;
  name: string;
  url: string;
  status: string;
}

const windows: ReturnType<typeof startCommand>[] = [];
afterEach(async () => {
  for (const window of windows.splice(0)) {
    const ended = once(window, 'exit');
    window.kill('SIGINT');
    await ended;
  }
});

/** Starts a window and returns the address that it prints, and what it says before. */
async function openWindow(workspace: string, ...args: string[]) {
  const window = startCommand(
    ['open', '--host', 'loopback', '--no-browser', '--port', '0', ...args],
    { workspace },
  );
  windows.push(window);
  let stderr = '';
  window.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [line] = (await once(window.stdout, 'data')) as [Buffer];
  return { address: line.toString().trim(), stderr };
}
const workspaceAt = (name: string) => ({ workspace: join(folder.path, name) });
const serversOf = async (name: string): Promise<Shown[]> => {
  const { stdout } = await runCommand(['servers', 'list', '--json'], workspaceAt(name));
  return (JSON.parse(stdout) as { servers: Shown[] }).servers;
};
const ownOf = async (name: string): Promise<Shown[]> =>
  (await serversOf(name)).filter(({ name: each }) => /^fakeMcpServer/.test(each));
const { command, args } = fakeStdioServer('normal');

describe('open with a server', () => {
  it('registers and checks it, and opens its page in a new window and in one that runs', async () => {
    const { workspace } = workspaceAt('both');
    const { address, stderr } = await openWindow(workspace, '--', command, ...args);
    const [own, ...others] = await ownOf('both');
    expect([own?.status, others]).toEqual(['active', []]);
    expect(address).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:\\d+/open\\?token=[\\w-]+#/servers/${own?.id ?? ''}$`),
    );
    expect(stderr).toMatch(/^Registered fakeMcpServer.*\.\nfakeMcpServer.*: Reachable\n/);
    const joined = await runCommand(
      ['open', '--no-browser', '--', command, ...args],
      workspaceAt('both'),
    );
    expect(joined.code).toBe(0);
    expect(joined.stderr).toContain(' is registered already.');
    expect(joined.stdout.trim()).toMatch(new RegExp(`#/servers/${own?.id ?? ''}$`));
    expect(await ownOf('both')).toHaveLength(1);
  });

  it('runs it in the current folder, keeps a secret apart, and opens the page of one that fails', async () => {
    const { workspace } = workspaceAt('failed');
    await openWindow(workspace);
    const open = (...given: string[]) =>
      runCommand(['open', '--no-browser', ...given], { workspace });
    const key = 'sk-proj-Zq8vT2mXw4Lr9Nc7Bd5Kf3Hg1Jp6Ys0a';
    const failing = ['--env', `API_KEY=${key}`, '--', 'node', '-e', 'process.exit(3)'];
    const first = await open(...failing);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(': Unreachable: ')]);
    const second = await open(...failing);
    expect(second.stdout.split('#')[1]).toBe(first.stdout.split('#')[1]);
    const shown = await runCommand(['servers', 'export', '--to', '.mcp.json'], {
      workspace,
    });
    expect(shown.stdout).toContain(JSON.stringify(realpathSync(process.cwd())));
    expect(`${first.stderr}${second.stderr}${shown.stdout}`).not.toContain(key);
  });

  it('takes an address with its headers', async () => {
    const { workspace } = workspaceAt('address');
    await openWindow(workspace);
    const given = [
      'open',
      '--no-browser',
      '--url',
      'http://127.0.0.1:9/mcp',
      '--header',
      'X-Team=a',
    ];
    const { code, stdout } = await runCommand(given, { workspace });
    const [own] = (await serversOf('address')).filter(({ url }) => url.includes('127.0.0.1:9/'));
    expect([code, own?.name]).toEqual([0, '127.0.0.1-9']);
    expect(stdout.trim()).toMatch(new RegExp(`#/servers/${own?.id ?? ''}$`));
  });

  it('names no address of a workspace that it can’t open', async () => {
    const { workspace } = workspaceAt('newer');
    mkdirSync(workspace);
    const file = join(workspace, databaseName);
    const { migrations: migrationsFolder } = programFiles;
    openDatabase({ file, migrationsFolder, clock: systemClock, access: 'write' }).close();
    const db = new Sqlite(file);
    db.pragma('user_version = 9999');
    db.close();
    rmSync(`${file}.checksums`, { force: true });
    const env = { ELECTRON_OVERRIDE_DIST_PATH: workspace };
    const opened = await runCommand(['open', '--no-browser'], { workspace, env });
    expect(opened).toMatchObject({ code: 3, stdout: '' });
    expect(opened.stderr).toMatch(/^The database .*newer version/);
  });

  it.each([
    [['node', 'server.js'], 'open: Put -- before the command of a server: '],
    [['--env', 'A=1'], 'open: Give --url with an address, or a command after --: '],
    [['--url', 'http://127.0.0.1:9/', '--', 'node'], 'open: Give --url with an address, or '],
    [['--header', 'A=1', '--', 'node'], 'open: --header is for an HTTP server.'],
    [['--url', 'http://127.0.0.1:9/', '--env', 'A=1'], 'open: --env is for a stdio server.'],
    [['--env', 'A', '--', 'node'], '--env A: It needs the form NAME=VALUE.'],
    [['--', ''], 'open: The command is empty. Give a program.'],
  ])('refuses %j', async (given, message) => {
    const { code, stderr } = await runCommand(['open', ...given], workspaceAt('refused'));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
