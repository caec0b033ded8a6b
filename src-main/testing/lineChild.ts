import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface LineChild extends AsyncDisposable {
  readonly pid: number;
  /**
   * The next line of its output; null after its end. If it fails, both streams appear in the output
   * of the test.
   */
  nextLine(): Promise<string | null>;
  send(line: string): void;
  /** Sends SIGKILL, so that it can close nothing. */
  kill(): void;
  /** Resolves with its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts a Node program that prints lines; `under` is a command that wraps it, such as `prlimit
 * --fsize=…`.
 */
export function startLineChild(
  program: string,
  args: readonly string[],
  under: readonly string[] = [],
): LineChild {
  const [command = process.execPath, ...rest] = [...under, process.execPath, program, ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started.`);
  return {
    pid,
    ended,
    nextLine: async () => {
      const next = await lines.next();
      return next.done ? null : next.value;
    },
    send: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
