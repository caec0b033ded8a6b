import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface LineChild extends AsyncDisposable {
  readonly pid: number;
  /**
   * The next line of its output; null once it has ended. Both of its streams end up in the test's
   * own where it fails.
   */
  nextLine(): Promise<string | null>;
  send(line: string): void;
  /** SIGKILL: it gets no chance to close anything. */
  kill(): void;
  /** Resolves with its exit code, null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts a Node program that speaks in lines; `under` is a command that it runs under, as `prlimit
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
