import type { Readable } from 'node:stream';
import { escapeLines } from '../../../src-shared/display/visibleText.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';

/** The part of a writable stream that commands use. */
export interface OutputStream {
  isTTY?: boolean;
  columns?: number;
  /** Calls back when the text is written, with an error if the reader has closed the pipe. */
  write(text: string, written?: (error?: Error | null) => void): boolean;
}

/** Standard error: what `write` is given can't move the cursor, color the terminal, or hide anything. */
export interface MessageStream extends OutputStream {
  /** Writes this program's own colors and redrawn lines; foreign text in them is escaped already. */
  draw(text: string): void;
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
  readonly stderr: MessageStream;
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

/** A process or a test, whose standard error writes whatever it is given. */
export type RawIo = Omit<CommandIo, 'stderr'> & { readonly stderr: OutputStream };

/**
 * The streams of a command: no secret is written to them, and standard error shows every character
 * of a message. What a command answers is escaped by its format, because a file keeps its bytes.
 */
export function guardedIo(io: RawIo): CommandIo {
  const { secretGuard } = io;
  const guarded = (
    stream: OutputStream,
    prepare: (text: string) => string = (text) => text,
  ): OutputStream => ({
    get isTTY() {
      return stream.isTTY ?? false;
    },
    get columns() {
      return stream.columns ?? 80;
    },
    write: (text, written) => stream.write(prepare(secretGuard.redact(text)), written),
  });
  const messages: MessageStream = Object.assign(guarded(io.stderr, escapeLines), {
    draw: (text: string) => void io.stderr.write(secretGuard.redact(text)),
  });
  return {
    // Opened on demand, like the standard input of the process.
    get stdin() {
      return io.stdin;
    },
    stdout: guarded(io.stdout),
    stderr: messages,
    env: io.env,
    ask: (question) => io.ask(escapeLines(question)),
    commandLine: io.commandLine,
    secretGuard,
    decoding: io.decoding,
    setExitCode: (code) => io.setExitCode(code),
  };
}
