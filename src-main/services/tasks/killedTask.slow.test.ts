import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { listProcesses, readCommand } from '../../adapters/process/processTable.ts';
import { removeLeftFolders } from '../../adapters/process/programFolder.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { sampled } from '../../testing/nightly.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

afterEach(expectNoLeaks);

const child = testProgram('src-main/testing/taskChild.ts');

/** Opened; setup; two turns of a question, a call and a quote; the state; finished. */
const steps = 14;
/** Opened, setup, the first call, and the last one. */
const sample = [1, 2, 4, steps];
const table = sampled(
  Array.from({ length: steps }, (_, at) => at + 1),
  (step) => sample.includes(step),
);

async function start(step: number, folder: string) {
  const program = spawn(process.execPath, [child, `${step}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const [said] = (await once(createInterface({ input: program.stdout }), 'line')) as [string];
  return { program, said };
}

describe('a program that is killed in the middle of a task', () => {
  it.each(table)(
    'leaves no process, and the next start removes its folder: step %i',
    async (step) => {
      await using folder = await temporaryFolder();
      const { program, said } = await start(step, folder.path);
      expect(said).toBe('stopped');
      program.kill('SIGKILL');
      await once(program, 'exit');
      // The arguments of the server name the folder of its run.
      const servers = async () => {
        const rows = await listProcesses();
        const commands = await Promise.all(rows.map(({ pid }) => readCommand(pid)));
        return commands.filter((command) => command.includes(folder.path));
      };
      await expect.poll(servers).toEqual([]);
      const usual = process.env['TMPDIR'];
      process.env['TMPDIR'] = folder.path;
      try {
        await removeLeftFolders();
      } finally {
        if (usual === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = usual;
      }
      expect(readdirSync(folder.path).filter((name) => name.startsWith('touchstone-run'))).toEqual(
        [],
      );
    },
  );

  it('finishes and leaves no folder when it is not killed', async () => {
    await using folder = await temporaryFolder();
    const { program, said } = await start(steps + 1, folder.path);
    expect(said).toBe('done');
    if (program.exitCode === null) await once(program, 'exit');
    expect(readdirSync(folder.path).filter((name) => name.startsWith('touchstone-run'))).toEqual(
      [],
    );
  });
});
