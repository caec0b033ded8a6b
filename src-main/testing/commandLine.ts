import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createSecretGuard } from '../adapters/secrets/secretGuard.ts';
import { noDecoding, type OutputStream, type RawIo } from '../hosts/cli/commandIo.ts';
import { createProgram } from '../hosts/cli/program.ts';
import { runProgram } from '../hosts/cli/runProgram.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { testedProgram } from './testedProgram.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  workspace: string;
  input?: string | Buffer;
  env?: NodeJS.ProcessEnv;
  /** The working folder of a process of its own. */
  cwd?: string;
}

/** A stream that records what is written to it. */
class CapturedOutput implements OutputStream {
  text = '';

  write(text: string, written?: () => void): boolean {
    this.text += text;
    if (written !== undefined) setImmediate(written);
    return true;
  }
}

export interface MemoryIo extends RawIo {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  exitCode: number;
}

/**
 * The environment of a command in memory: no terminal, and variables of its own next to those of this
 * process, or `only` these.
 */
export function memoryIo({
  input = '',
  env = {},
  only = { ...process.env, NO_COLOR: '1', ...env },
}: { input?: string | Buffer; env?: NodeJS.ProcessEnv; only?: NodeJS.ProcessEnv } = {}) {
  const io: MemoryIo = {
    stdin: Readable.from(input.length === 0 ? [] : [input]),
    stdout: new CapturedOutput(),
    stderr: new CapturedOutput(),
    env: only,
    ask: async () => null,
    commandLine: testedProgram,
    secretGuard: createSecretGuard(),
    decoding: noDecoding,
    exitCode: 0,
    setExitCode: (code) => {
      io.exitCode = code;
    },
  };
  return io;
}

/**
 * The program of another Node, under which commands are tested: `npm run test:slow` sets it to the
 * oldest supported one, and each night to the newest too. All commands are then processes of their
 * own.
 */
const otherNode = process.env['TOUCHSTONE_TESTED_NODE'];

/**
 * Runs one command to its end in this process, with the parser, services and workspace of the
 * program but without starting Node. Signals, pipes and crashes need `spawnCommand`.
 */
export async function runCommand(args: readonly string[], options: RunOptions): Promise<Ended> {
  if (otherNode !== undefined) return spawnCommand(args, options);
  const { workspace, input = '', env = {} } = options;
  return runInMemory(args, memoryIo({ input, env: { ...env, TOUCHSTONE_HOME: workspace } }));
}

/** Runs one command to its end in this process. */
export async function runInMemory(args: readonly string[], io: MemoryIo): Promise<Ended> {
  await runProgram(createProgram(io), args, io);
  return { code: io.exitCode, stdout: io.stdout.text, stderr: io.stderr.text };
}

/**
 * The compile cache, shared between processes: half of the time of a short command. Node checks
 * each file against its source.
 */
export const compiled = join(programFiles.root, 'node_modules', '.cache', 'touchstone', 'compiled');

/** What a client starts the program with, which passes on few variables of its own. */
export const clientEnvironment = (
  workspace: string,
  more: Record<string, string> = {},
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TOUCHSTONE_HOME: workspace,
  TOUCHSTONE_KEYCHAIN: 'off',
  NODE_COMPILE_CACHE: compiled,
  ...more,
});

/** Starts the command line as a process of its own. */
export function startCommand(
  args: readonly string[],
  { workspace, env = {}, cwd }: RunOptions,
): ChildProcessWithoutNullStreams {
  return spawn(otherNode ?? process.execPath, [testedProgram, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: {
      ...process.env,
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: compiled,
      ...env,
      TOUCHSTONE_HOME: workspace,
    },
  });
}

/** Runs one command to its end in a process of its own. */
export async function spawnCommand(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = startCommand(args, options);
  child.stdin.end(options.input ?? '');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
