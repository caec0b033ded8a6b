import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { daemonizingScript, daemonizingServer, forkingScript } from './daemons.fixture.ts';
import { hastyGraces } from './endTree.ts';
import { readProcess } from './processTable.ts';
import { runProgram } from './runProgram.ts';
import { spawnTree } from './spawnTree.ts';

afterEach(expectNoLeaks);

const noSignal = new AbortController().signal;
const runScript = async (script: string) =>
  runProgram(
    {
      command: process.execPath,
      args: ['-e', script],
      stdin: '',
      limitMs: 20_000,
      outputBytes: 10_000,
    },
    noSignal,
  );
const aliveOf = async (text: string): Promise<number[]> => {
  const pids = JSON.parse(text) as number[];
  const rows = await Promise.all(pids.map((pid) => readProcess(pid)));
  return rows.flatMap((row) => row?.pid ?? []);
};

// Only Linux hands a mark on that a daemon can't shed.
describe.runIf(process.platform === 'linux')('daemons', () => {
  test('T56: ends daemons that left session, folder, environment and files', async () => {
    const scripts = Array.from({ length: 4 }, () => runScript(daemonizingScript));
    for (const { outcome, stdout, allGone } of await Promise.all(scripts)) {
      expect([outcome, allGone]).toEqual(['ended', true]);
      expect(await aliveOf(stdout.toString())).toEqual([]);
    }
  });

  test('T18: ends the daemons of a server that was closed', async () => {
    const tree = await spawnTree({ command: process.execPath, args: ['-e', daemonizingServer] });
    const [line] = (await once(createInterface({ input: tree.stdout }), 'line')) as [string];
    expect(await aliveOf(line)).toHaveLength(2);
    expect(await tree.end(hastyGraces)).toBe(true);
    expect(await aliveOf(line)).toEqual([]);
  });

  test('T56: ends a daemon that forks faster than processes are listed', async () => {
    const { outcome, stdout, allGone } = await runScript(forkingScript);
    expect([outcome, allGone]).toEqual(['ended', true]);
    expect(await aliveOf(stdout.toString())).toEqual([]);
  });
});
