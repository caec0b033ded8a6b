import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from './runCommand.ts';

export interface LaunchedHost {
  /** A link to open the window; it works once. */
  url: string;
  newUrl(): Promise<string>;
  workspace: string;
  /** Runs a command of the command line on the same workspace. */
  command(args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  close(): Promise<void>;
}

/** The command line as `npm run build` makes it. */
export const builtProgram = join(import.meta.dirname, '..', 'out', 'main', 'cli.js');

interface LoopbackOptions {
  workspace?: string;
  /** Any free one by default. */
  port?: number;
  /** Leaves a workspace of its own behind when the program ends. */
  keep?: boolean;
  /** Started instead of the built command line. */
  entry?: string;
  /** Variables beside those of the test. */
  variables?: NodeJS.ProcessEnv;
  /** Gets what the program writes to its standard error. */
  onStderr?: (text: string) => void;
}

/** Starts the program as a user does: the built command line, in a workspace of its own. */
export async function launchLoopback(
  options: LoopbackOptions = {},
): Promise<LaunchedHost & { signal: (name: NodeJS.Signals) => void; exited: Promise<void> }> {
  const workspace = options.workspace ?? (await mkdtemp(join(tmpdir(), 'touchstone-e2e-')));
  const child = spawn(
    process.execPath,
    [
      options.entry ?? builtProgram,
      '--workspace',
      workspace,
      'open',
      '--host',
      'loopback',
      '--no-browser',
      '--port',
      String(options.port ?? 0),
    ],
    {
      // Tests must not write into the keychain of the person who runs them, nor into the
      // configuration of this person's programs.
      env: {
        ...process.env,
        TOUCHSTONE_KEYCHAIN: 'off',
        XDG_CONFIG_HOME: join(workspace, 'config'),
        ...options.variables,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const { onStderr = (text: string) => void process.stderr.write(text) } = options;
  child.stderr.setEncoding('utf8').on('data', onStderr);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextUrl = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('The program ended before it printed its address.');
      const found = /http:\/\/\S+/.exec(value);
      if (found) return found[0];
    }
  };
  return {
    url: await nextUrl(),
    newUrl: () => {
      child.stdin.write('\n');
      return nextUrl();
    },
    workspace,
    command: (args) => runCommand(workspace, args),
    signal: (name) => void child.kill(name),
    exited,
    async close() {
      child.kill('SIGTERM');
      await exited;
      if (options.workspace === undefined && options.keep !== true)
        await rm(workspace, { recursive: true, force: true });
    },
  };
}
