import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { hastyGraces } from './endTree.ts';
import { readProcess } from './processTable.ts';
import { spawnTree, SpawnFailure, type ProcessTree } from './spawnTree.ts';

afterEach(expectNoLeaks);

const node = (script: string, ...args: string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: ['-e', script, ...args],
});

async function firstLine(tree: ProcessTree): Promise<string> {
  const lines = createInterface({ input: tree.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  return line;
}

const alive = async (pids: readonly number[]): Promise<number[]> => {
  const rows = await Promise.all(pids.map((pid) => readProcess(pid)));
  return rows.flatMap((row) => (row === null ? [] : [row.pid]));
};

/**
 * A wrapper that ignores SIGTERM with a plain grandchild, one in its own session that ignores
 * SIGTERM too, and one with an empty environment.
 */
const family = `
  const { spawn } = require('node:child_process');
  const stay = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)';
  const starts = [
    spawn(process.execPath, ['-e', stay], { stdio: ['ignore', 'pipe', 'inherit'] }),
    spawn(process.execPath, ['-e', stay], { stdio: ['ignore', 'pipe', 'inherit'], detached: true }),
    spawn(process.execPath, ['-e', stay], { stdio: ['ignore', 'pipe', 'inherit'], env: {} }),
  ];
  process.on('SIGTERM', () => {});
  let ready = 0;
  for (const child of starts) child.stdout.once('data', () => { if (++ready === starts.length) console.log(JSON.stringify([process.pid, ...starts.map((c) => c.pid)])); });
  setInterval(() => {}, 1000);
`;

describe('spawnTree', () => {
  test('T18: ends a wrapper, its grandchild and a setsid child that ignore SIGTERM', async () => {
    const tree = await spawnTree(node(family));
    const pids = JSON.parse(await firstLine(tree)) as number[];
    expect(await alive(pids)).toEqual(pids);
    const started = performance.now();
    expect(await tree.end({ stdinMs: 50, termMs: 50, killMs: 2000 })).toBe(true);
    expect(await alive(pids)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2100);
    expect(await tree.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('T18: ends grandchildren whose parent has exited by itself', async () => {
    const tree = await spawnTree(
      node(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
      const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      process.stdout.write(JSON.stringify([child.pid, other.pid]) + '\\n', () => process.exit(0));
    `),
    );
    const pids = JSON.parse(await firstLine(tree)) as number[];
    // Settles although both grandchildren hold standard output open.
    expect(await tree.ended).toEqual({ code: 0, signal: null });
    expect(await alive(pids)).toEqual(pids);
    expect(await tree.end(hastyGraces)).toBe(true);
    expect(await alive(pids)).toEqual([]);
  });

  test('lets a child exit by itself when its input ends', async () => {
    const tree = await spawnTree(node('process.stdin.resume().on("end", () => process.exit(7))'));
    expect(await tree.end({ stdinMs: 5000, termMs: 0, killMs: 500 })).toBe(true);
    expect(tree.exit).toEqual({ code: 7, signal: null });
  });

  test('ends a tree once although it is asked several times', async () => {
    const tree = await spawnTree(node('setInterval(() => {}, 1000)'));
    const [first, second] = await Promise.all([tree.end(hastyGraces), tree.end(hastyGraces)]);
    expect([first, second, await tree.end()]).toEqual([true, true, true]);
  });

  test('T25: keeps only the tail of 200 MB on standard error and does not block the child', async () => {
    const tree = await spawnTree(
      node(`
      const block = Buffer.alloc(1024 * 1024, 120);
      let left = 200;
      const more = () => { while (left-- > 0) if (!process.stderr.write(block)) return process.stderr.once('drain', more); process.stderr.write('\\nthe last line\\n', () => process.exit(0)); };
      more();
    `),
    );
    const before = process.memoryUsage().rss;
    expect(await tree.ended).toEqual({ code: 0, signal: null });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(tree.log.tail()).toMatch(/the last line$/);
    expect(tree.log.tail().length).toBeLessThan(5000);
    await tree.end(hastyGraces);
  });

  test('T33: passes only the listed environment variables to a child', async () => {
    process.env['TOUCHSTONE_TEST_CANARY'] = 'canary';
    try {
      const tree = await spawnTree({
        ...node('console.log(JSON.stringify(process.env))'),
        env: { OWN: 'entry' },
      });
      const seen = JSON.parse(await firstLine(tree)) as Record<string, string>;
      await tree.end(hastyGraces);
      const allowed = [
        'PATH',
        'HOME',
        'LANG',
        'TERM',
        'SHELL',
        'USER',
        'LOGNAME',
        'TMPDIR',
        'OWN',
        'TOUCHSTONE_RUN_ID',
      ];
      expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([]);
      expect(seen['OWN']).toBe('entry');
      expect(seen['TOUCHSTONE_RUN_ID']).toBe(tree.runId);
    } finally {
      delete process.env['TOUCHSTONE_TEST_CANARY'];
    }
  });

  test('passes arguments without a shell', async () => {
    const tree = await spawnTree(
      node(
        'console.log(JSON.stringify(process.argv.slice(1)))',
        '$(touch x)',
        '; rm',
        '`id`',
        'a\nb',
      ),
    );
    expect(JSON.parse(await firstLine(tree))).toEqual(['$(touch x)', '; rm', '`id`', 'a\nb']);
    await tree.end(hastyGraces);
  });

  test('T28: tells a missing command, a file that is not executable and a missing folder apart', async () => {
    await using folder = await temporaryFolder();
    const reasonOf = (error: unknown): string =>
      error instanceof SpawnFailure ? error.reason : String(error);
    const failure = (options: Parameters<typeof spawnTree>[0]): Promise<string> =>
      spawnTree(options).then(() => 'started', reasonOf);
    expect(await failure({ command: '/nowhere/at-all', args: [] })).toBe('not found');
    expect(await failure({ command: folder.path, args: [] })).toBe('not executable');
    expect(await failure({ ...node(''), cwd: '/nowhere' })).toBe('no folder');
  });
});
