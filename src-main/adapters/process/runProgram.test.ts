import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { listProcesses, readCommand, readProcess } from './processTable.ts';
import { runProgram, type ProgramRun } from './runProgram.ts';

// A place for temporary folders that nobody else uses, so that nothing of another program's is
// taken for ours.
let place: TemporaryFolder;
const usual = process.env['TMPDIR'];
beforeAll(async () => {
  place = await temporaryFolder();
  process.env['TMPDIR'] = place.path;
});
afterEach(async () => {
  await expectNoLeaks();
  expect(readdirSync(place.path)).toEqual([]);
});
afterAll(async () => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  await place.remove();
});

const noSignal = new AbortController().signal;
const node = (script: string, ...args: string[]): Pick<ProgramRun, 'command' | 'args'> => ({
  command: process.execPath,
  args: ['-e', script, ...args],
});
const run = async (
  part: Partial<ProgramRun> & Pick<ProgramRun, 'command' | 'args'>,
  signal = noSignal,
) => runProgram({ stdin: '', limitMs: 20_000, outputBytes: 100_000, ...part }, signal);
const alive = async (pids: readonly number[]): Promise<number[]> =>
  (await Promise.all(pids.map((pid) => readProcess(pid)))).flatMap((row) =>
    row === null ? [] : [row.pid],
  );
/** The seconds that a tree may outlive its limit, and the looks that it takes. */
const graceMs = 3000;

describe('runProgram', () => {
  // Each writes the numbers of its processes first; then it never ends by itself.
  const stay = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
  const start = (options: string): string => `
    const { spawn } = require('node:child_process');
    process.on('SIGTERM', () => {});
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(`${stay} process.stdout.write('up ');`)}], ${options});
    const said = () => console.log(JSON.stringify([process.pid, child.pid]));
    child.stdout ? child.stdout.once('data', said) : said();
    setInterval(() => {}, 1000);`;

  test.each([
    ['sleeps for ever', `console.log(JSON.stringify([process.pid])); setInterval(() => {}, 1000);`],
    [
      'ignores SIGTERM',
      `process.on('SIGTERM', () => {}); console.log(JSON.stringify([process.pid])); setInterval(() => {}, 1000);`,
    ],
    ['forks', start(`{ stdio: ['ignore', 'pipe', 'inherit'] }`)],
    [
      'forks into a session of its own',
      start(`{ stdio: ['ignore', 'pipe', 'inherit'], detached: true }`),
    ],
    ['forks with an empty environment', start(`{ stdio: ['ignore', 'pipe', 'inherit'], env: {} }`)],
    [
      'forks with an empty environment into a session of its own',
      start(`{ stdio: ['ignore', 'pipe', 'inherit'], env: {}, detached: true }`),
    ],
    ['has a child that holds standard output', start(`{ stdio: 'inherit', detached: true }`)],
  ])('T56: ends a program that %s within three seconds of its limit', async (_what, script) => {
    const limitMs = 1500;
    const began = performance.now();
    const result = await run({ ...node(script), limitMs });
    const took = performance.now() - began;
    const pids = JSON.parse(/\[[\d,]+\]/.exec(result.stdout.toString())?.[0] ?? 'null') as number[];
    expect(pids.length).toBeGreaterThan(0);
    expect(await alive(pids)).toEqual([]);
    expect(result).toMatchObject({ outcome: 'timeout', allGone: true });
    // Five times what is promised: the busiest machine starts and looks slowly.
    expect(took).toBeLessThan(limitMs + 5 * graceMs);
  });

  test.skipIf(process.platform === 'win32')(
    'T56: ends what nohup and setsid leave behind after a program has exited',
    async () => {
      const script = `
      nohup sleep 1000 >/dev/null 2>&1 &
      echo $!
      command -v setsid >/dev/null && { setsid sleep 1000 >/dev/null 2>&1 & echo $!; }
      (env -i setsid sleep 1000 >/dev/null 2>&1 &)
      true`;
      const result = await run({
        command: '/bin/sh',
        args: ['script.sh'],
        files: { 'script.sh': script },
      });
      expect(result).toMatchObject({ outcome: 'ended', exit: { code: 0 }, allGone: true });
      expect(await alive(result.stdout.toString().trim().split('\n').map(Number))).toEqual([]);
      const commands = await Promise.all(
        (await listProcesses()).map(({ pid }) => readCommand(pid)),
      );
      expect(commands.filter((command) => command === 'sleep 1000')).toEqual([]);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'T56: ends a program that has forked 200 times',
    async () => {
      const script = `i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; echo started; wait`;
      const result = await run({
        command: '/bin/sh',
        args: ['script.sh'],
        files: { 'script.sh': script },
        limitMs: 1500,
      });
      expect(result).toMatchObject({ outcome: 'timeout', allGone: true });
      const next = await run(node('console.log(1)'));
      expect([next.outcome, next.stdout.toString()]).toEqual(['ended', '1\n']);
    },
  );

  test('T57: hides the environment and the open files of this process from a program', async () => {
    await using folder = await temporaryFolder();
    const canary = 'canary-0123456789';
    process.env['TOUCHSTONE_TEST_CANARY'] = canary;
    try {
      const file = join(folder.path, 'held');
      writeFileSync(file, canary);
      const script = `
        const fs = require('node:fs');
        const read = (path) => { try { return fs.readFileSync(path, 'latin1'); } catch (error) { return error.code; } };
        const fds = process.platform === 'linux' ? fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } }) : [];
        console.log(JSON.stringify({ env: process.env, parent: read('/proc/' + process.ppid + '/environ'), cwd: process.cwd(), fds }));`;
      const { stdout } = await run(node(script));
      expect(stdout.toString()).not.toContain(canary);
      const seen = JSON.parse(stdout.toString()) as {
        env: Record<string, string>;
        parent: string;
        cwd: string;
        fds: string[];
      };
      const allowed = [
        'PATH',
        'HOME',
        'LANG',
        'TERM',
        'SHELL',
        'USER',
        'LOGNAME',
        'TMPDIR',
        'TEMP',
        'TMP',
        'TOUCHSTONE_RUN_ID',
        'PWD',
        'OLDPWD',
        'SHLVL',
        '_',
      ];
      if (process.platform !== 'win32')
        expect(Object.keys(seen.env).filter((name) => !allowed.includes(name))).toEqual([]);
      expect(seen.env['TMPDIR']).toBe(seen.cwd);
      if (process.platform === 'linux') {
        // The parent's first environment is the allow-list as well: the shell in between has no
        // other.
        const names = seen.parent
          .split('\0')
          .filter((entry) => entry !== '')
          .map((entry) => entry.split('=', 1)[0]);
        expect(names.length).toBeGreaterThan(0);
        expect(names.filter((name) => !allowed.includes(name ?? ''))).toEqual([]);
      }
      expect(seen.fds.filter((target) => target.includes('sqlite') || target === file)).toEqual([]);
      expect(() => readdirSync(seen.cwd)).toThrow('ENOENT');
    } finally {
      delete process.env['TOUCHSTONE_TEST_CANARY'];
    }
  });

  test('T57: removes the folder of a program with everything that it left there', async () => {
    const { stdout, exit } = await run(
      node(
        `const fs = require('node:fs'); fs.mkdirSync('a/b', { recursive: true }); fs.writeFileSync('a/b/c', 'x'); fs.chmodSync('a/b/c', 0); console.log(process.cwd());`,
      ),
    );
    expect(exit).toEqual({ code: 0, signal: null });
    expect(() => readdirSync(stdout.toString().trim())).toThrow('ENOENT');
  });

  test('T58: stops an endless output at its limit and keeps the beginning', async () => {
    const memory = process.memoryUsage().rss;
    const result = await run({
      ...node(
        `const block = 'x'.repeat(65536); const more = () => { while (process.stdout.write(block)); process.stdout.once('drain', more); }; more();`,
      ),
      outputBytes: 1000,
    });
    expect(result.outcome).toBe('flooded');
    expect(result.stdout.toString()).toBe('x'.repeat(1000));
    expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 * 1024);
  });

  test('T58: accepts an output at the limit and stops one that is a byte longer', async () => {
    const write = (count: number) =>
      run({ ...node(`process.stdout.write('x'.repeat(${count}))`), outputBytes: 100_000 });
    expect((await write(100_000)).outcome).toBe('ended');
    expect((await write(100_001)).outcome).toBe('flooded');
  });

  test('T58: reports a signal, an exit code and the end of standard error', async () => {
    expect(
      await run(
        node(`process.stderr.write('last words\\n', () => process.kill(process.pid, 'SIGKILL'))`),
      ),
    ).toMatchObject({ outcome: 'ended', exit: { signal: 'SIGKILL' } });
    const failed = await run(node(`process.stderr.write('last words\\n', () => process.exit(7))`));
    expect(failed).toMatchObject({ exit: { code: 7, signal: null }, stderrTail: 'last words' });
  });

  test('T59: passes arguments that look like shell commands unchanged', async () => {
    await using folder = await temporaryFolder();
    const trap = join(folder.path, 'made');
    mkdirSync(join(folder.path, 'empty'));
    const args = [
      `$(touch ${trap})`,
      `; touch ${trap}`,
      `\`touch ${trap}\``,
      `a\nb`,
      '--flag',
      '*',
      '"',
      "'",
      '$0',
      '',
      `&& touch ${trap}`,
      '\\',
    ];
    const { stdout } = await run(
      node(`console.log(JSON.stringify(process.argv.slice(1)))`, '--', ...args),
    );
    expect(JSON.parse(stdout.toString())).toEqual(args);
    expect(() => readFileSync(trap)).toThrow('ENOENT');
  });

  test('survives a program that does not read its input', async () => {
    expect(await run({ ...node('process.exit(0)'), stdin: 'x'.repeat(5_000_000) })).toMatchObject({
      outcome: 'ended',
      exit: { code: 0 },
    });
  });

  test('reports a cancel before, during and after the start as cancelled', async () => {
    for (const delay of [0, 1, 5, 20, 100]) {
      const controller = new AbortController();
      if (delay === 0) controller.abort();
      else AbortSignal.timeout(delay).addEventListener('abort', () => controller.abort());
      expect((await run(node('setInterval(() => {}, 1000)'), controller.signal)).outcome).toBe(
        'cancelled',
      );
    }
  });
});

test.skipIf(process.platform === 'win32')(
  'gives a program no descriptor besides its input and output',
  async () => {
    const { exit } = await run({ command: '/bin/sh', args: ['-c', '(: <&3) && exit 7; exit 8'] });
    expect(exit).toMatchObject({ code: 8 });
  },
);
