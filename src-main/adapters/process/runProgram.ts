import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { onAbort } from '../../runtime/deadline.ts';
import type { Graces } from './endTree.ts';
import { createProgramFolder, removeProgramFolder } from './programFolder.ts';
import { spawnTree, type ProcessTree, type TreeExit } from './spawnTree.ts';

export interface ProgramRun {
  /** An existing file, as `locateCommand` returns it. */
  command: string;
  args: readonly string[];
  /** Written into the program's own folder before it starts. */
  files?: Readonly<Record<string, string>>;
  stdin: string;
  /** Where it works; absent: in its own folder. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  limitMs: number;
  /** The program is ended when it writes more than this to standard output. */
  outputBytes: number;
  /** How much memory each of its processes may allocate, where the system can limit it. */
  memoryBytes?: number | null;
  /** Takes secrets out of the end of standard error before it is cut. */
  redact?: (text: string) => string;
}

export interface ProgramResult {
  outcome: 'ended' | 'timeout' | 'cancelled' | 'flooded';
  exit: TreeExit | null;
  /** At most `outputBytes`. */
  stdout: Buffer;
  stderrTail: string;
  /**
   * False if a process of the tree could not be ended.
   */
  allGone: boolean;
}

/** Their sum is below three seconds, after which no process of a tree may be left. */
const timeoutGraces: Graces = { stdinMs: 0, termMs: 1000, killMs: 1500 };
const cancelGraces: Graces = { stdinMs: 0, termMs: 200, killMs: 1500 };
const maxLogBytes = 16 * 1024;

/**
 * A shell between this process and the program, so that the environment of the program's parent
 * holds no secrets. The script is fixed; command and arguments are its parameters. It passes on an
 * exit by a signal.
 */
const wrapperScript =
  '"$@"; s=$?; if [ "$s" -gt 128 ]; then kill -"$((s - 128))" "$$" 2>/dev/null; fi; exit "$s"';

const maxSaid = 500;

/** How a program ended that gave no result, with the end of what it wrote: one sentence. */
export function exitText(exit: TreeExit | null, written: string): string {
  const how = exit?.signal
    ? `was ended by ${exit.signal}`
    : `ended with exit code ${exit?.code ?? 'unknown'}`;
  const said = endOf(written);
  return said === '' ? `${how}.` : `${how}: ${said}`;
}

/** The end of what a program wrote, as a sentence; empty if it wrote nothing. */
export function endOf(written: string): string {
  const said = written.trim().slice(-maxSaid);
  return said === '' || /[.!?…]$/u.test(said) ? said : `${said}.`;
}

/** A program as a child of that shell where there is one. Its group ends with its starter. */
export const wrapProgram = (
  run: Pick<ProgramRun, 'command' | 'args'>,
): Pick<ProgramRun, 'command' | 'args'> & { endsWithStarter: boolean } =>
  process.platform === 'win32'
    ? { command: run.command, args: run.args, endsWithStarter: false }
    : {
        command: '/bin/sh',
        args: ['-c', wrapperScript, 'touchstone', run.command, ...run.args],
        endsWithStarter: true,
      };

/**
 * Runs a program in a folder of its own, with text on its standard input, until it ends, exceeds its
 * time or its output, or the signal is aborted. When the promise settles, its whole tree has been
 * ended and its folder removed. Rejects with SpawnFailure only.
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
  const folder = await createProgramFolder();
  try {
    for (const [name, text] of Object.entries(run.files ?? {}))
      await writeFile(join(folder, name), text, { mode: 0o600 });
    const tree = await spawnTree({
      ...wrapProgram(run),
      cwd: run.cwd ?? folder,
      ownFolder: run.cwd === undefined,
      env: { TMPDIR: folder, TEMP: folder, TMP: folder, ...run.env },
      logBytes: maxLogBytes,
      memoryBytes: run.memoryBytes ?? null,
    });
    return await runToEnd(tree, run, signal);
  } finally {
    await removeProgramFolder(folder);
  }
}

/** A pipe that a descendant keeps open counts as read when nothing arrives for this long. */
const quietMs = 250;
const maxQuietChecks = 8;

/**
 * Returns a function that waits until the output of an ended program is read. A descendant that
 * keeps the pipe open delays it only while bytes still arrive.
 */
function createReadWait(tree: ProcessTree, left: () => number): () => Promise<void> {
  const endOfOutput = new AbortController();
  tree.stdout.once('end', () => endOfOutput.abort()).once('close', () => endOfOutput.abort());
  return async () => {
    for (
      let check = 0, before = Number.NaN;
      check < maxQuietChecks && before !== left() && !endOfOutput.signal.aborted;
      check += 1
    ) {
      before = left();
      await pause(quietMs, undefined, { signal: endOfOutput.signal }).catch(() => undefined);
      // A late timer fires before input that has already arrived, so let that be read first.
      await yieldToEventLoop();
      await yieldToEventLoop();
    }
  };
}

async function runToEnd(
  tree: ProcessTree,
  run: ProgramRun,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const chunks: Buffer[] = [];
  let bytesLeft = run.outputBytes;
  const stop = Promise.withResolvers<'timeout' | 'cancelled' | 'flooded'>();
  tree.stdout.on('data', (chunk: Buffer) => {
    if (bytesLeft > 0) chunks.push(chunk.subarray(0, bytesLeft));
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) stop.resolve('flooded');
  });
  const timer = setTimeout(() => stop.resolve('timeout'), run.limitMs);
  const stopListening = onAbort(signal, () => stop.resolve('cancelled'));
  tree.stdin.end(run.stdin);
  try {
    const read = createReadWait(tree, () => bytesLeft);
    const outcome = await Promise.race([
      tree.ended.then(
        async () => (await read(), bytesLeft < 0 ? ('flooded' as const) : ('ended' as const)),
      ),
      stop.promise,
    ]);
    const allGone = await tree.end(outcome === 'timeout' ? timeoutGraces : cancelGraces);
    return {
      outcome,
      exit: tree.exit,
      stdout: Buffer.concat(chunks),
      stderrTail: tree.log.tail({ redact: run.redact }),
      allGone,
    };
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
