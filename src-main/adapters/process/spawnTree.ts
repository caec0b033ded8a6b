/**
 * Process trees of our own. What exists ends too little: closing the MCP SDK's transport ends the
 * direct child only, and killing the process group misses a child that called `setsid`. Such a
 * child also kept standard output open, so the `close` event never came. Here a tree is found by
 * group, parents, run id and tag, and a child counts as ended at its exit.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { waitAtMost } from '../../runtime/deadline.ts';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { endTree, killAtOnce, politeGraces, type Graces } from './endTree.ts';
import { childEnvironment } from './environment.ts';
import { launchUnderLimits } from './launchUnderLimits.ts';
import { locateCommand } from './locateCommand.ts';
import { readProcess } from './processTable.ts';
import { watchGroup } from './groupWatcher.ts';
import { createRunId } from './runId.ts';
import { TextRing } from './textRing.ts';
import { markedBy, sendSignal, type TreeMark } from './treeMembers.ts';
import { createTag, ownTrees } from './treeTag.ts';
import { killWindowsTreeAtOnce } from './windowsTree.ts';

export interface TreeOptions {
  command: string;
  args: readonly string[];
  cwd?: string | null;
  /** Added to the allow-list of the environment. */
  env?: Readonly<Record<string, string>>;
  /** How much of the end of standard error is kept. */
  logBytes?: number;
  /** Receives standard error as it arrives. */
  onLog?: ((chunk: Buffer) => void) | undefined;
  /**
   * `cwd` was created for this tree alone, so every process that works in it belongs to the tree.
   */
  ownFolder?: boolean;
  /** Its group is ended when this process ends, also if that is killed. Not on Windows. */
  endsWithStarter?: boolean;
  /** How much memory each process may allocate, where the system can limit it. */
  memoryBytes?: number | null;
}

export interface TreeExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessTree {
  readonly pid: number;
  readonly runId: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The end of standard error, which is drained as it arrives. */
  readonly log: TextRing;
  /** Null while the child runs. */
  readonly exit: TreeExit | null;
  /**
   * Resolves when the child has ended and its output is read, even if descendants keep its pipes
   * open. Never rejects.
   */
  readonly ended: Promise<TreeExit>;
  /**
   * Ends the whole tree within the sum of the grace periods. Further calls return the same result:
   * true if no process is left.
   */
  end(graces?: Graces): Promise<boolean>;
}

/** Why a child could not be started: a reason for the program and a message for people. */
export class SpawnFailure extends Error {
  override readonly name = 'SpawnFailure';
  readonly reason: 'not found' | 'not executable' | 'no folder' | 'other';

  constructor(reason: SpawnFailure['reason'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

const defaultLogBytes = 64 * 1024;
/**
 * How long the output of an ended child is read. What it wrote arrives at once, but a descendant
 * could keep the pipe open forever.
 */
const maxDrainMs = 250;

/** Where the system looks for programs if no PATH is set. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin';

const livePids = new Set<number>();
let isExitWatched = false;

/** Starts a child, without a shell, as the head of its own process group. */
export async function spawnTree(options: TreeOptions): Promise<ProcessTree> {
  if (options.cwd != null && !(await isFolder(options.cwd)))
    throw new SpawnFailure('no folder', `The folder "${options.cwd}" does not exist.`);
  const runId = createRunId();
  const env = childEnvironment(options.env ?? {}, runId);
  const tag = createTag(runId);
  const launch = await launchUnderLimits(
    options,
    { tag, memoryBytes: options.memoryBytes ?? null },
    env,
  );
  if (launch !== options) await rejectMissing(options, env);
  let child: ChildProcessByStdio<Writable, Readable, Readable>;
  try {
    child = spawn(launch.command, [...launch.args], {
      cwd: options.cwd ?? undefined,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw spawnFailure(options.command, error);
  }
  const stopWatching =
    options.endsWithStarter === true && child.pid !== undefined ? watchGroup(child.pid) : null;
  const log = new TextRing(options.logBytes ?? defaultLogBytes);
  child.stderr.on('data', (chunk: Buffer) => {
    log.push(chunk);
    options.onLog?.(chunk);
  });
  // A broken pipe is ignored, because the exit of the child says more.
  for (const stream of [child.stdin, child.stdout, child.stderr])
    stream.on('error', () => undefined);

  let exit: TreeExit | null = null;
  const ended = new Promise<TreeExit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      void waitForDrain([child.stdout, child.stderr]).then(() => resolve({ code, signal }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(spawnFailure(options.command, error)));
  });
  child.on('error', () => undefined);
  const pid = child.pid;
  if (pid === undefined) throw spawnFailure(options.command, new Error('no process number'));
  killOnExit(pid);
  // Read now, while the pid certainly still belongs to this child.
  const row = await readProcess(pid);
  const mark: TreeMark = {
    isMarked: markedBy([runId], [tag]),
    groups: [pid],
    roots: row === null ? [] : [{ pid, startTime: row.startTime }],
    folder: options.ownFolder === true ? (options.cwd ?? null) : null,
  };

  let ending: Promise<boolean> | null = null;
  const terminate = async (graces: Graces): Promise<boolean> => {
    const empty = await endTree(child, mark, graces);
    if (empty) {
      livePids.delete(pid);
      stopWatching?.();
    }
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    return empty;
  };
  return {
    pid,
    runId,
    stdin: child.stdin,
    stdout: child.stdout,
    log,
    get exit() {
      return exit;
    },
    ended,
    end: (graces = politeGraces) => (ending ??= terminate(graces)),
  };
}

async function waitForDrain(streams: readonly Readable[]): Promise<void> {
  const closed = streams.map((stream) =>
    stream.closed
      ? Promise.resolve()
      : new Promise<void>((resolve) => stream.once('close', resolve)),
  );
  await waitAtMost(maxDrainMs, Promise.all(closed));
}

/** If this program exits, everything that is left of its trees is killed. */
function killOnExit(pid: number): void {
  if (!isExitWatched) process.once('exit', killOwnTrees);
  isExitWatched = true;
  livePids.add(pid);
}

function killOwnTrees(): void {
  for (const pid of livePids) {
    if (process.platform === 'win32') killWindowsTreeAtOnce(pid);
    else sendSignal(-pid, 'SIGKILL');
  }
  killAtOnce(ownTrees());
}

/** Reports a missing program before another one is started to turn into it. */
async function rejectMissing(
  { command, cwd }: TreeOptions,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const isPath = command.includes('/');
  const file = isPath ? resolve(cwd ?? '.', command) : command;
  if ((await locateCommand(file, env['PATH'] ?? defaultPath)) !== null) return;
  const exists =
    isPath &&
    (await stat(file).then(
      () => true,
      () => false,
    ));
  throw failureWithCode(command, exists ? 'EACCES' : 'ENOENT', undefined);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function spawnFailure(command: string, error: unknown): SpawnFailure {
  return failureWithCode(command, errorCode(error), error);
}

function failureWithCode(command: string, code: string | null, cause: unknown): SpawnFailure {
  if (code === 'ENOENT')
    return new SpawnFailure('not found', `The command "${command}" was not found.`, { cause });
  if (code === 'EACCES' || code === 'ENOEXEC')
    return new SpawnFailure('not executable', `"${command}" can't be executed.`, { cause });
  return new SpawnFailure(
    'other',
    `The command "${command}" could not be started: ${errorText(cause)}.`,
    { cause },
  );
}
