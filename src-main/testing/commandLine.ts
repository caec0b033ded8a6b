import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { text } from 'node:stream/consumers';
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

/** Starts the command line as a process of its own. */
export function startCommand(args: readonly string[], { workspace, env = {} }: RunOptions): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [testedProgram, ...args], { env: { ...process.env, NO_COLOR: '1', ...env, TOUCHSTONE_HOME: workspace } });
}

/** Runs one command to its end. */
export async function runCommand(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = startCommand(args, options);
  child.stdin.end(options.input ?? '');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
