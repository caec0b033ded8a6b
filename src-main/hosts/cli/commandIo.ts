import type { Readable } from 'node:stream';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';

/** The part of a writable stream that commands use. */
export interface OutputStream {
  isTTY?: boolean;
  columns?: number;
  /** Calls back when the text is written, with an error if the reader has closed the pipe. */
  write(text: string, written?: (error?: Error | null) => void): boolean;
}

/** How a command reads files that aren't UTF-8. */
export interface Decoding {
  /** From `--encoding`; null: such files are refused. */
  encoding: string | null;
  note(text: string): void;
}

export const noDecoding: Decoding = { encoding: null, note: () => undefined };

/**
 * The part of the process that a command may use. `main.ts` passes the real process, tests pass
 * streams in memory.
 */
export interface CommandIo {
  readonly stdin: Readable & { isTTY?: boolean; unref?: () => unknown };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Asks the person at the terminal and doesn't show what is typed. Null if there is no terminal, or
   * nothing was typed.
   */
  ask(question: string): Promise<string | null>;
  /** The script that starts this program, for the MCP servers that it ships. */
  readonly commandLine: string;
  /** Knows the secrets that the command has read; nothing that it writes holds one. */
  readonly secretGuard: SecretGuard;
  /** Set once, from the global options. */
  decoding: Decoding;
  /** Sets the exit code. The process exits by itself once everything is written. */
  setExitCode(code: number): void;
}

/** The same, with streams that take secrets out of everything that is written to them. */
export function withoutSecrets(io: CommandIo): CommandIo {
  const { secretGuard } = io;
  const clean = (stream: OutputStream): OutputStream => ({
    get isTTY() {
      return stream.isTTY ?? false;
    },
    get columns() {
      return stream.columns ?? 80;
    },
    write: (text, written) => stream.write(secretGuard.redact(text), written),
  });
  return {
    // Opened on demand, like the standard input of the process.
    get stdin() {
      return io.stdin;
    },
    stdout: clean(io.stdout),
    stderr: clean(io.stderr),
    env: io.env,
    ask: (question) => io.ask(question),
    commandLine: io.commandLine,
    secretGuard,
    decoding: io.decoding,
    setExitCode: (code) => io.setExitCode(code),
  };
}
