import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { listProcesses, readCommand } from './processTable.ts';
import { sendSignal } from './treeMembers.ts';

const module = new URL('./groupWatcher.ts', import.meta.url).href;
/** Starts a group for each line that it reads, and stops watching those that are said to be free. */
const program = `
  import { spawn } from 'node:child_process';
  import { createInterface } from 'node:readline';
  import { watchGroup } from '${module}';
  for await (const line of createInterface({ input: process.stdin })) {
    const { pid } = spawn('/bin/sh', ['-c', 'sleep 600 & wait'], { detached: true, stdio: 'ignore' });
    const stop = watchGroup(pid);
    if (line === 'free') stop();
    console.log(pid);
  }
`;
const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) sendSignal(-pid, 'SIGKILL');
});

async function startProgram() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const startGroup = async (what: 'watched' | 'free'): Promise<number> => {
    child.stdin.write(`${what}\n`);
    const { value } = await lines.next();
    const pid = Number(value);
    started.push(pid);
    return pid;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid, startGroup, kill };
}

test.skipIf(process.platform === 'win32')(
  'A killed program leaves no group that it watches, and leaves others alone.',
  async () => {
    const { startGroup, kill } = await startProgram();
    const [one, free, two] = [
      await startGroup('watched'),
      await startGroup('free'),
      await startGroup('watched'),
    ];
    await kill();
    await expect.poll(() => readCommand(one)).toBe('');
    await expect.poll(() => readCommand(two)).toBe('');
    expect(await readCommand(free)).toContain('sleep 600');
  },
);

test.skipIf(process.platform === 'win32')(
  'A watcher that somebody ends is replaced, with all of its groups.',
  async () => {
    const { pid, startGroup, kill } = await startProgram();
    const one = await startGroup('watched');
    const watchers = async () => {
      const rows = (await listProcesses()).filter(({ ppid }) => ppid === pid);
      const commands = await Promise.all(
        rows.map(async (row) => ({ ...row, command: await readCommand(row.pid) })),
      );
      return commands.filter(({ command }) => command.includes('while read')).map((row) => row.pid);
    };
    const [first = 0] = await watchers();
    sendSignal(first, 'SIGKILL');
    await expect
      .poll(async () => (await watchers()).filter((each) => each !== first))
      .toHaveLength(1);
    await kill();
    await expect.poll(() => readCommand(one)).toBe('');
  },
);
