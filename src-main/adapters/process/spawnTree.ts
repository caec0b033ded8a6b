/**
 * Process trees of our own. What exists ends too little: closing the MCP SDK's transport ends the
 * direct child only, and killing the process group misses a child that called `setsid`. Such a
 * child also kept standard output open, so the `close` event never came. Here a tree is found by
 * group, parents and run id, and a child counts as ended at its exit.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { waitAtMost } from '../../runtime/deadline.ts';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { endTree, politeGraces, type Graces } from './endTree.ts';
import { childEnvironment } from './environment.ts';
import { readProcess } from './processTable.ts';
import { createRunId } from './runId.ts';
import { TextRing } from './textRing.ts';
import { sendSignal, type TreeMark } from './treeMembers.ts';
import { killWindowsTreeAtOnce } from './windowsTree.ts';

export interface TreeOptions {
  command: string;
  args: readonly string[];
  cwd?: string | null;
  /** Added to the allow-list of the environment. */
  env?: Readonly<Record<string, string>>;
  /** How much of standard error is kept. */
  logBytes?: number;
  /**
   * `cwd` was made for this tree alone: whoever still works in it at the end belongs to the tree.
   */
  ownFolder?: boolean;
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
  /** Standard error, drained at once and kept to its last bytes. */
  readonly log: TextRing;
  /** Null while the child lives. */
  readonly exit: TreeExit | null;
  /**
   * The child has ended and what it had written is read; not held up by descendants that keep its
   * pipes open. Never rejects.
   */
  readonly ended: Promise<TreeExit>;
  /**
   * Takes the whole tree down, bounded by the sum of the graces. May be called again. True where
   * nobody is left.
   */
  end(graces?: Graces): Promise<boolean>;
}

/** Why no child came to be, in a word to decide by and a sentence to show. */
export class SpawnFailure extends Error {
  override readonly name = 'SpawnFailure';
  readonly reason: 'not found' | 'not executable' | 'no folder' | 'other';

  constructor(reason: SpawnFailure['reason'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

const LOG_BYTES = 64 * 1024;
/**
 * What is still in the pipe when the child ends is there at once; a descendant that holds the pipe
 * would keep it open for ever.
 */
const DRAIN_MS = 250;

const live = new Set<number>();
let watching = false;

/** Starts a child, without a shell, as the head of its own process group. */
export async function spawnTree(options: TreeOptions): Promise<ProcessTree> {
  if (options.cwd != null && !(await isFolder(options.cwd)))
    throw new SpawnFailure('no folder', `The folder "${options.cwd}" does not exist.`);
  const runId = createRunId();
  let child: ChildProcessByStdio<Writable, Readable, Readable>;
  try {
    child = spawn(options.command, [...options.args], {
      cwd: options.cwd ?? undefined,
      env: childEnvironment(options.env ?? {}, runId),
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw spawnFailure(options.command, error);
  }
  const log = new TextRing(options.logBytes ?? LOG_BYTES);
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
  // A pipe breaks when its reader dies; the exit tells more than the pipe does.
  for (const stream of [child.stdin, child.stdout, child.stderr])
    stream.on('error', () => undefined);

  let exit: TreeExit | null = null;
  const ended = new Promise<TreeExit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      void drained([child.stdout, child.stderr]).then(() => resolve({ code, signal }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(spawnFailure(options.command, error)));
  });
  child.on('error', () => undefined);
  const pid = child.pid;
  if (pid === undefined) throw spawnFailure(options.command, new Error('no process number'));
  keepUntilExit(pid);
  // Taken now, while the number is surely still this child's.
  const row = await readProcess(pid);
  const mark: TreeMark = {
    runIds: [runId],
    groups: [pid],
    roots: row === null ? [] : [{ pid, startTime: row.startTime }],
    folder: options.ownFolder === true ? (options.cwd ?? null) : null,
  };

  let ending: Promise<boolean> | null = null;
  const takeDown = async (graces: Graces): Promise<boolean> => {
    const empty = await endTree(child, mark, graces);
    if (empty) live.delete(pid);
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
    end: (graces = politeGraces) => (ending ??= takeDown(graces)),
  };
}

async function drained(streams: readonly Readable[]): Promise<void> {
  const closed = streams.map((stream) =>
    stream.closed
      ? Promise.resolve()
      : new Promise<void>((resolve) => stream.once('close', resolve)),
  );
  await waitAtMost(DRAIN_MS, Promise.all(closed));
}

/** Where this program ends without closing what it opened, the groups go with it. */
function keepUntilExit(pid: number): void {
  if (!watching) process.once('exit', killLive);
  watching = true;
  live.add(pid);
}

function killLive(): void {
  for (const pid of live) {
    if (process.platform === 'win32') killWindowsTreeAtOnce(pid);
    else sendSignal(-pid, 'SIGKILL');
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function spawnFailure(command: string, error: unknown): SpawnFailure {
  const code = errorCode(error) ?? '';
  if (code === 'ENOENT')
    return new SpawnFailure('not found', `The command "${command}" was not found.`, {
      cause: error,
    });
  if (code === 'EACCES' || code === 'ENOEXEC')
    return new SpawnFailure('not executable', `"${command}" can't be executed.`, { cause: error });
  return new SpawnFailure(
    'other',
    `The command "${command}" could not be started: ${errorText(error)}.`,
    { cause: error },
  );
}
