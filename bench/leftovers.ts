import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  daemonizingScript,
  daemonizingServer,
  forkingScript,
} from '../src-main/adapters/process/daemons.fixture.ts';
import { hastyGraces } from '../src-main/adapters/process/endTree.ts';
import { readProcess } from '../src-main/adapters/process/processTable.ts';
import { runProgram } from '../src-main/adapters/process/runProgram.ts';
import { spawnTree } from '../src-main/adapters/process/spawnTree.ts';
import { findMembers } from '../src-main/adapters/process/treeMembers.ts';
import { ownTrees } from '../src-main/adapters/process/treeTag.ts';

/** What was started, and what of it was still alive after the end of its run. */
export interface LeftoverFigures {
  kind: string;
  runs: number;
  daemons: number;
  left: number;
  /** The longest run of a script, or the longest closing of a server, in ms. */
  slowestMs: number;
}

const kinds: readonly { kind: string; run: () => Promise<Run> }[] = [
  { kind: 'daemonizing scripts', run: () => runScript(daemonizingScript) },
  { kind: 'scripts whose daemon forks without end', run: () => runScript(forkingScript) },
  { kind: 'daemonizing servers', run: runServer },
];

/** Processes that one run reported, and how long it took. */
interface Run {
  pids: number[];
  ms: number;
}

/**
 * Runs scripts and servers that leave their tree in every way there is, and counts the processes
 * that outlive their run.
 */
export async function countLeftovers(runsOfEach = 24): Promise<LeftoverFigures[]> {
  const figures: LeftoverFigures[] = [];
  for (const { kind, run } of kinds) {
    const ended: Run[] = [];
    for (let count = 0; count < runsOfEach; count += 1) ended.push(await run());
    const pids = ended.flatMap((each) => each.pids);
    const reported = await Promise.all(pids.map((pid) => readProcess(pid)));
    // Also those that no run reported, such as the children of a daemon.
    const marked = await findMembers(ownTrees());
    const left = new Set([...reported, ...marked].flatMap((row) => row?.pid ?? []));
    figures.push({
      kind,
      runs: runsOfEach,
      daemons: pids.length,
      left: left.size,
      slowestMs: Math.round(Math.max(...ended.map(({ ms }) => ms))),
    });
  }
  return figures;
}

async function runScript(script: string): Promise<Run> {
  const began = performance.now();
  const { stdout } = await runProgram(
    {
      command: process.execPath,
      args: ['-e', script],
      stdin: '',
      limitMs: 20_000,
      outputBytes: 10_000,
    },
    new AbortController().signal,
  );
  return { pids: readPids(stdout.toString()), ms: performance.now() - began };
}

async function runServer(): Promise<Run> {
  const tree = await spawnTree({ command: process.execPath, args: ['-e', daemonizingServer] });
  const [line] = (await once(createInterface({ input: tree.stdout }), 'line')) as [string];
  const began = performance.now();
  await tree.end(hastyGraces);
  return { pids: readPids(line), ms: performance.now() - began };
}

function readPids(text: string): number[] {
  const pids: unknown = JSON.parse(text === '' ? '[]' : text);
  return Array.isArray(pids) ? pids.filter((pid) => typeof pid === 'number') : [];
}
