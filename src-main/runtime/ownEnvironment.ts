/**
 * The environment of this program's own processes. `/proc/<pid>/environ` shows what a process was
 * started with, whatever it deletes from `process.env` later, and every program of the same user
 * can read it: the MCP servers and scripts that run as children among them. So a process is started
 * with open variables alone and gets the others through a pipe, and what it was started with is
 * erased.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { isOpenVariable, openVariables } from './openVariables.ts';

/** A program that was asked to end has so long for it. */
const maxEndMs = 4_500;
/** Names the file descriptor on which the launcher passes the other variables. */
const pipeVariable = 'TOUCHSTONE_LAUNCHER_PIPE';
const pipeDescriptor = 3;

export interface OwnEnvironment {
  /** All variables, those with secrets too. */
  variables: NodeJS.ProcessEnv;
  /** The pipe from the launcher, which stays open as long as the launcher lives; null without one. */
  launcherPipe: number | null;
}

/**
 * Takes the environment of this process and leaves only open variables in `process.env` and, on
 * Linux, in `/proc/<pid>/environ`. Call it once, before anything else is started.
 */
export function takeEnvironment(): OwnEnvironment {
  const descriptor = process.env[pipeVariable];
  const launcherPipe = descriptor === undefined ? null : Number(descriptor);
  const variables = { ...process.env, ...(launcherPipe !== null && readVariables(launcherPipe)) };
  const hidden = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || isOpenVariable(name, value) ? [] : [name],
  );
  for (const name of [pipeVariable, ...hidden]) Reflect.deleteProperty(process.env, name);
  if (process.platform === 'linux' && hidden.length > 0) eraseFromMemory(new Set(hidden));
  return { variables, launcherPipe };
}

/**
 * Starts a process of this program. Its environment holds open variables only; `takeEnvironment`
 * receives the others there. The pipe closes when this process ends, however it ends.
 */
export function startWithEnvironment(
  command: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): ChildProcess {
  const open = openVariables(variables);
  const child = spawn(command, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...open, [pipeVariable]: String(pipeDescriptor) },
  });
  const hidden = Object.entries(variables).filter(([name]) => !(name in open));
  const pipe = child.stdio[pipeDescriptor];
  if (pipe != null && 'write' in pipe) {
    // A child that ended before it read is reported by its exit.
    pipe.on('error', () => undefined);
    pipe.write(`${hidden.map(([name, value]) => `${name}=${value ?? ''}\0`).join('')}\0`);
  }
  return child;
}

/**
 * Ends this process with the exit code of the program that it started, and passes on what asks it to
 * end. A terminal sends Ctrl-C to both, and other programs to this process alone: the program takes
 * two within half a second for one. After SIGTERM, a program that computes without a pause is killed.
 */
export function exitWith(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      child.kill(signal);
      if (signal === 'SIGTERM') setTimeout(() => child.kill('SIGKILL'), maxEndMs).unref();
    });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 3)));
}

/**
 * Reads `NAME=value` entries, each ended by a zero byte, up to an empty one. Synchronously, because
 * nothing may start before the variables are there.
 */
function readVariables(descriptor: number): NodeJS.ProcessEnv {
  let bytes = Buffer.alloc(0);
  while (!(bytes.at(-1) === 0 && (bytes.length === 1 || bytes.at(-2) === 0))) {
    const chunk = Buffer.alloc(64 * 1024);
    const length = readSync(descriptor, chunk);
    if (length === 0) throw new Error('The launcher of Touchstone ended. Start Touchstone again.');
    bytes = Buffer.concat([bytes, chunk.subarray(0, length)]);
  }
  const entries = bytes.toString('utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => {
      const equals = entry.indexOf('=', 1);
      return [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}

/**
 * Overwrites the variables in the block that `/proc/<pid>/environ` shows. Deleting a variable only
 * removes the pointer to it. Other systems offer no way to do this from Node; on Windows, deleting
 * it is enough.
 */
function eraseFromMemory(names: ReadonlySet<string>): void {
  try {
    const [start, end] = environmentBlock();
    const block = Buffer.alloc(end - start);
    const memory = openSync('/proc/self/mem', 'r+');
    try {
      const length = readSync(memory, block, 0, block.length, start);
      for (let from = 0, to = 0; from < length; from = to + 1) {
        to = block.indexOf(0, from);
        if (to === -1) to = length;
        const [name = ''] = block.toString('utf8', from, to).split('=', 1);
        if (names.has(name)) writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
      }
    } finally {
      closeSync(memory);
    }
  } catch {
    // Some sandboxes forbid it. The launcher's child has no such variables in any case.
  }
}

/** First and last address of the environment: fields 50 and 51 of proc_pid_stat(5). */
function environmentBlock(): [start: number, end: number] {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // The name of the program, in parentheses, is field 2 and may hold spaces.
  const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [Number(fromThird[47]), Number(fromThird[48])];
}
