import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { onAbort } from '../../runtime/deadline.ts';
import type { Graces } from './endTree.ts';
import { spawnTree, type ProcessTree, type TreeExit } from './spawnTree.ts';

export interface ProgramRun {
  /** A file that exists: see `locateCommand`. */
  command: string;
  args: readonly string[];
  /** Written into the program's own folder before it starts. */
  files?: Readonly<Record<string, string>>;
  stdin: string;
  env?: Readonly<Record<string, string>>;
  limitMs: number;
  /** More on standard output than this ends the program. */
  outputBytes: number;
}

export interface ProgramResult {
  outcome: 'ended' | 'timeout' | 'cancelled' | 'flooded';
  exit: TreeExit | null;
  /** At most `outputBytes`. */
  stdout: Buffer;
  stderrTail: string;
  /**
   * Numbers of processes can't be told apart for ever: false where something of the tree could not
   * be ended.
   */
  allGone: boolean;
}

const programFolderPrefix = 'touchstone-run-';

/** Together below the three seconds within which nothing of a tree may be left. */
const lateGraces: Graces = { stdinMs: 0, termMs: 1000, killMs: 1500 };
const cancelGraces: Graces = { stdinMs: 0, termMs: 200, killMs: 1500 };
const LOG_BYTES = 16 * 1024;

/**
 * The shell stands between this program and the one that it runs, so that who asks for the parent's
 * environment finds one without secrets. Its text is fixed: command and arguments are its
 * parameters. A death by signal is passed on as one.
 */
const between =
  '"$@"; s=$?; if [ "$s" -gt 128 ]; then kill -"$((s - 128))" "$$" 2>/dev/null; fi; exit "$s"';

/**
 * Runs a program in a folder of its own, with text on its standard input, until it ends, its time
 * is over, it writes too much, or the signal is aborted. Whatever happened: its whole tree is taken
 * down and its folder is gone when the promise settles. Rejects with SpawnFailure only.
 */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramResult> {
  if (signal.aborted)
    return {
      outcome: 'cancelled',
      exit: null,
      stdout: Buffer.alloc(0),
      stderrTail: '',
      allGone: true,
    };
  const folder = await realpath(await mkdtemp(join(tmpdir(), programFolderPrefix)));
  try {
    for (const [name, text] of Object.entries(run.files ?? {}))
      await writeFile(join(folder, name), text, { mode: 0o600 });
    const posix = process.platform !== 'win32';
    const tree = await spawnTree({
      command: posix ? '/bin/sh' : run.command,
      args: posix ? ['-c', between, 'touchstone', run.command, ...run.args] : run.args,
      cwd: folder,
      ownFolder: true,
      env: { TMPDIR: folder, TEMP: folder, TMP: folder, ...run.env },
      logBytes: LOG_BYTES,
    });
    return await follow(tree, run, signal);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }
}

/** How long a pipe that somebody still holds is listened to without hearing anything. */
const QUIET_MS = 250;
const MOST_LOOKS = 8;

/**
 * Waits until everything that an ended program wrote is here; a descendant that holds its pipe open
 * holds up nothing.
 */
function whenRead(tree: ProcessTree, left: () => number): () => Promise<void> {
  const over = new AbortController();
  tree.stdout.once('end', () => over.abort()).once('close', () => over.abort());
  return async () => {
    for (
      let look = 0, before = Number.NaN;
      look < MOST_LOOKS && before !== left() && !over.signal.aborted;
      look += 1
    ) {
      before = left();
      await pause(QUIET_MS, undefined, { signal: over.signal }).catch(() => undefined);
      // A late timer comes before what has arrived meanwhile: what is there is read first.
      await yieldToEventLoop();
      await yieldToEventLoop();
    }
  };
}

async function follow(
  tree: ProcessTree,
  run: ProgramRun,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const chunks: Buffer[] = [];
  let room = run.outputBytes;
  const stop = Promise.withResolvers<'timeout' | 'cancelled' | 'flooded'>();
  tree.stdout.on('data', (chunk: Buffer) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room < 0) stop.resolve('flooded');
  });
  const timer = setTimeout(() => stop.resolve('timeout'), run.limitMs);
  const stopListening = onAbort(signal, () => stop.resolve('cancelled'));
  tree.stdin.end(run.stdin);
  try {
    const read = whenRead(tree, () => room);
    const outcome = await Promise.race([
      tree.ended.then(
        async () => (await read(), room < 0 ? ('flooded' as const) : ('ended' as const)),
      ),
      stop.promise,
    ]);
    const allGone = await tree.end(outcome === 'timeout' ? lateGraces : cancelGraces);
    return {
      outcome,
      exit: tree.exit,
      stdout: Buffer.concat(chunks),
      stderrTail: tree.log.tail(),
      allGone,
    };
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
