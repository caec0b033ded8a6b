import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../runtime/programFiles.ts';
import { spawnCommand, startCommand } from '../../testing/commandLine.ts';
import { testedProgram } from '../../testing/testedProgram.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';

const starter = join(import.meta.dirname, '..', '..', 'testing', 'ownProcess.ts');

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const line = `${JSON.stringify({ id: 'a', query: 'q', tools: [{ name: 'f' }], expected_calls: [{ name: 'f' }], actual_calls: [{ name: 'f' }] })}\n`;
/**
 * As many lines as are scored in one go, so that their scores are on standard output while the rest
 * is awaited.
 */
const flight = line.repeat(200);

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('tmp'));
});
afterAll(async () => {
  await folder.remove();
});

/** `score` that has answered its first lines and waits for more. */
async function waitingScore(env: NodeJS.ProcessEnv = {}) {
  const child = startCommand(['score', '--input', '-'], { workspace: at('none'), env });
  const stderr = text(child.stderr);
  child.stdin.on('error', () => undefined).write(flight);
  await once(child.stdout, 'data');
  return { child, stderr };
}

describe('Ctrl-C', () => {
  it('T18: ends a server that never answers, removes its folder and exits with 3', async () => {
    const listener: Server = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    const script = `require('net').connect(${port}, '127.0.0.1'); process.stdin.resume()`;
    const connected = once(listener, 'connection') as Promise<[Socket]>;
    const child = startCommand(['tools', '--stdio', `"${process.execPath}" -e "${script}"`], {
      workspace: at('none'),
      env: { TMPDIR: at('tmp') },
    });
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    const [server] = await Promise.race([
      connected,
      stderr.then((said) => Promise.reject(new Error(said))),
    ]);
    const gone = once(
      server.resume().on('error', () => undefined),
      'close',
    );
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([3, null]);
    await gone;
    listener.close();
    expect([await stdout, await stderr]).toEqual(['', 'Stopped.\n']);
    expect(readdirSync(at('tmp'))).toEqual([]);
  });

  it.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends a command that waits for input with 3 and one note',
    async (signal) => {
      const { child, stderr } = await waitingScore();
      child.kill(signal);
      expect([await once(child, 'exit'), await stderr]).toEqual([[3, null], 'Stopped.\n']);
    },
  );

  it.runIf(process.platform !== 'win32')('exits with 3 after an uncaught error', async () => {
    const fault = 'process.on("SIGUSR2", () => { throw new Error("inside"); })';
    const { child, stderr } = await waitingScore({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    });
    child.kill('SIGUSR2');
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(await stderr).toMatch(/^Something went wrong inside Touchstone: Error: inside/);
  });
});

describe.runIf(process.platform !== 'win32')('SIGTERM to a program that is held', () => {
  /** Says so on standard error, then holds the event loop. */
  const hold = (ms: number) =>
    `require('node:fs').writeSync(2, 'held.'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;
  it.each([
    // Ends from its own thread, because the loop has turns in between.
    [
      'three seconds at a time',
      `const again = () => { ${hold(3000)} setImmediate(again); }; setImmediate(again);`,
    ],
    // Only another thread can end it.
    [
      'for a minute from the signal on',
      `process.on('SIGTERM', () => { ${hold(60_000)} }); process.stderr.write('held.');`,
    ],
  ])('%s ends it within 5 s', async (_how, code) => {
    // A listener that does nothing, as that of a command that never stops.
    const fault = `import { createRequire } from 'node:module'; const require = createRequire('/'); process.on('SIGUSR2', () => { process.on('SIGTERM', () => {}); ${code} });`;
    const { child } = await waitingScore({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    });
    const held = once(child.stderr, 'data');
    child.kill('SIGUSR2');
    await held;
    const asked = performance.now();
    child.kill('SIGTERM');
    const [exit, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(performance.now() - asked).toBeLessThan(5_000);
    expect([3, null]).toContain(exit);
    expect([null, 'SIGKILL']).toContain(signal);
  });
});

const { env: own } = process;
/** Starts a command as the launcher does: in a process of its own, with a pipe between them. */
const launch = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [starter, testedProgram, ...args], {
    env: { ...own, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

it.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to the launcher alone ends the program, with its code and one note',
  async (signal) => {
    const launcher = launch(['score', '--input', '-'], { TOUCHSTONE_HOME: at('none') });
    const stderr = text(launcher.stderr);
    launcher.stdin.on('error', () => undefined).write(flight);
    await once(launcher.stdout, 'data');
    launcher.kill(signal);
    expect([await once(launcher, 'exit'), await stderr]).toEqual([[3, null], 'Stopped.\n']);
  },
);

describe('kill -9 of the launcher', () => {
  it('T18: ends the program, its server and its folder', async () => {
    const listener: Server = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    const script = `require('net').connect(${port}, '127.0.0.1'); process.on('SIGTERM', () => {}); process.stdin.resume()`;
    const connected = once(listener, 'connection') as Promise<[Socket]>;
    const launcher = launch(['tools', '--stdio', `"${process.execPath}" -e "${script}"`], {
      TOUCHSTONE_HOME: at('none'),
      TMPDIR: at('tmp'),
    });
    const stderr = text(launcher.stderr);
    const [server] = await connected;
    const gone = once(
      server.resume().on('error', () => undefined),
      'close',
    );
    launcher.kill('SIGKILL');
    await gone;
    listener.close();
    // The program holds standard error as well, so that ends with it.
    expect(await stderr).toBe('Stopped.\n');
    expect(readdirSync(at('tmp'))).toEqual([]);
  });

  it('T18: closes a window in order, without a question', async () => {
    const launcher = launch(['open', '--host', 'loopback', '--no-browser', '--port', '0'], {
      TOUCHSTONE_HOME: at('launched'),
    });
    const closed = once(launcher.stdout, 'close');
    const [printed] = (await once(launcher.stdout, 'data')) as [Buffer];
    expect(printed.toString()).toContain('http://127.0.0.1');
    launcher.kill('SIGKILL');
    await closed;
    expect(readFileSync(join(at('launched'), 'touchstone.log'), 'utf8')).toContain(
      'Touchstone ended.',
    );
  });
});

describe('a closed pipe', () => {
  it('ends score early with 0 when standard output is closed', async () => {
    const { child, stderr } = await waitingScore();
    child.stdout.destroy();
    const ended = once(child, 'exit');
    while ((child.exitCode ?? child.signalCode) === null)
      if (!child.stdin.write(flight))
        await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended]);
    expect([await ended, await stderr]).toEqual([[0, null], '']);
  });

  it('does not change the answer when standard error is closed', async () => {
    const child = spawn(process.execPath, [testedProgram, 'suite', 'list', '--json'], {
      env: { ...process.env, TOUCHSTONE_HOME: at('workspace') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.destroy();
    const [stdout, ended] = [text(child.stdout), once(child, 'exit')];
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(await stdout)).toMatchObject({ suites: [{ name: 'todo-sample' }] });
  });
});

describe('standard input', () => {
  it('is refused for a second option', async () => {
    const { code, stdout, stderr } = await spawnCommand(
      ['retrieval', '--corpus', '-', '--golden', '-', '--retriever', 'default'],
      {
        workspace: at('none'),
        input: readFileSync(join(programFiles.datasets, 'corpus_v1.json'), 'utf8'),
      },
    );
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'Standard input can be read for one option only. Put the others into files.\n',
    ]);
  });
});

describe('open', () => {
  it('prints a new one-time link to the running window when it is started again', async () => {
    const workspace = at('opened');
    const first = startCommand(['open', '--host', 'loopback', '--no-browser', '--port', '0'], {
      workspace,
    });
    const ended = once(first, 'exit');
    const [printed] = (await once(first.stdout, 'data')) as [Buffer];
    const firstUrl = printed.toString().trim();
    const second = await spawnCommand(['open', '--no-browser', '--port', '1'], { workspace });
    const url = second.stdout.trim();
    expect([second.code, new URL(url).origin, url === firstUrl]).toEqual([
      0,
      new URL(firstUrl).origin,
      false,
    ]);
    expect(second.stderr).toContain('--port 1 has no effect');
    const statusOf = async (address: string) => (await fetch(address)).status;
    expect([await statusOf(firstUrl), await statusOf(url), await statusOf(url)]).toEqual([
      401, 200, 401,
    ]);
    first.stdin.write('\n');
    const [again] = (await once(first.stdout, 'data')) as [Buffer];
    expect([
      await statusOf(again.toString().trim()),
      await statusOf(again.toString().trim()),
    ]).toEqual([200, 401]);
    first.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
});
