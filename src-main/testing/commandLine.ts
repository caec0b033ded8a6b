import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programFiles } from '../runtime/programFiles.ts';
import { testedProgram } from './testedProgram.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  workspace: string;
  input?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Compiled once, kept from process to process: half of what a short command takes. Node checks each
 * file against its source.
 */
export const compiled = join(programFiles.root, 'node_modules', '.cache', 'touchstone', 'compiled');

/** Starts the command line as a process of its own. */
export function startCommand(
  args: readonly string[],
  { workspace, env = {} }: RunOptions,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [testedProgram, ...args], {
    env: {
      ...process.env,
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: compiled,
      ...env,
      TOUCHSTONE_HOME: workspace,
    },
  });
}

/** Runs one command to its end. */
export async function runCommand(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = startCommand(args, options);
  child.stdin.end(options.input ?? '');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
