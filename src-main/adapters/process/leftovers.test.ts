import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { emptyWithin, hastyGraces } from './endTree.ts';
import { endLeftovers, findLeftovers } from './leftovers.ts';
import { removeLeftFolders } from './programFolder.ts';
import { spawnTree } from './spawnTree.ts';
import { startSweep } from './sweepLeftovers.ts';
import { markedBy } from './treeMembers.ts';

afterEach(expectNoLeaks);

/**
 * Stands for this program: starts a stubborn child as any server is started, and says its run id.
 */
const owner = `
  const { spawnTree } = await import(process.argv[1]);
  const stay = 'process.on("SIGTERM", () => {}); process.stdin.resume().on("end", () => {}); console.log("up"); setInterval(() => {}, 1000)';
  const tree = await spawnTree({ command: process.execPath, args: ['-e', stay, 'left-behind'] });
  tree.stdout.once('data', () => console.log(tree.runId));
  setInterval(() => {}, 1000);
`;

/** Stands for this program while it runs a script of the workshop. */
const scriptOwner = `
  const { runProgram } = await import(process.argv[1]);
  await runProgram({ command: process.execPath, args: ['-e', process.argv[2]], stdin: '',
    limitMs: 60_000, outputBytes: 1000 }, new AbortController().signal);
`;
const runProgramUrl = new URL('./runProgram.ts', import.meta.url).href;

/**
 * Below another tree, so that no copy of the program that starts just now finds what is left behind
 * before the test does.
 */
const env = { ...process.env, TOUCHSTONE_RUN_ID: 'test' };

describe('leftovers', () => {
  test('T18: finds and ends the servers of a program that was killed', async () => {
    const program = spawn(
      process.execPath,
      ['--input-type=module', '-e', owner, new URL('./spawnTree.ts', import.meta.url).href],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env,
      },
    );
    const [runId] = (await once(createInterface({ input: program.stdout }), 'line')) as [string];
    expect(runId).toMatch(new RegExp(`^test/touchstone-${program.pid}-\\d+-1$`));
    // The owner lives: its child is no leftover.
    expect(await findLeftovers(markedBy([runId], []))).toEqual([]);
    program.kill('SIGKILL');
    await once(program, 'exit');

    const found = await findLeftovers(markedBy([runId], []));
    expect(found.map((row) => row.command)).toEqual([expect.stringContaining('left-behind')]);
    expect(await endLeftovers(found, { ...hastyGraces, killMs: 2000 })).toEqual([]);
    expect(await findLeftovers(markedBy([runId], []))).toEqual([]);
  });

  test('T18: ends the servers of a program that exits without closing them', async () => {
    const exiting = owner.replace(
      'console.log(tree.runId)',
      '{ console.log(tree.runId); process.exit(0); }',
    );
    const program = spawn(
      process.execPath,
      ['--input-type=module', '-e', exiting, new URL('./spawnTree.ts', import.meta.url).href],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [[runId]] = (await Promise.all([
      once(createInterface({ input: program.stdout }), 'line'),
      once(program, 'exit'),
    ])) as [[string], unknown];
    expect(
      await emptyWithin({ isMarked: markedBy([runId], []), groups: [], roots: [] }, 5000),
    ).toBe(true);
  });

  test('does not take the servers of a running program for leftovers', async () => {
    const tree = await spawnTree({
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
    });
    expect((await findLeftovers()).filter((row) => row.runId === tree.runId)).toEqual([]);
    await tree.end(hastyGraces);
  });

  test('removes the folder of a script after the program was killed', async () => {
    await using folder = await temporaryFolder();
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder.path;
    try {
      // The script reports its folder through a file there, and never ends.
      const script = `require('node:fs').writeFileSync('up', ''); setInterval(() => {}, 1000);`;
      const program = spawn(
        process.execPath,
        ['--input-type=module', '-e', scriptOwner, runProgramUrl, script],
        { stdio: ['ignore', 'ignore', 'inherit'], env: { ...env, TMPDIR: folder.path } },
      );
      const runs = () => readdirSync(folder.path);
      await expect
        .poll(() => runs().some((name) => existsSync(join(folder.path, name, 'up'))))
        .toBe(true);
      const [name = ''] = runs();
      // The owner lives: its folder stays.
      expect([await removeLeftFolders(), runs()]).toEqual([{ found: 0, left: [] }, [name]]);
      program.kill('SIGKILL');
      await once(program, 'exit');
      // A stranger's folder and one that only looks alike stay as well.
      mkdirSync(join(folder.path, 'touchstone-run-mine'));
      const errors: string[] = [];
      await startSweep({ info: () => undefined, error: (message) => errors.push(message) })();
      // On a busy machine the sweep goes on after its wait.
      await expect.poll(() => [runs(), errors]).toEqual([['touchstone-run-mine'], []]);
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    }
  });
});
