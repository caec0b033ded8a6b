import type { Readable } from 'node:stream';

/** The part of a writable stream that commands use. */
export interface OutputStream {
  isTTY?: boolean;
  columns?: number;
  /** Calls back when the text is written, with an error if the reader has closed the pipe. */
  write(text: string, written?: (error?: Error | null) => void): boolean;
}

/**
 * The part of the process that a command may use. `main.ts` passes the real process, tests pass
 * streams in memory.
 */
export interface CommandIo {
  readonly stdin: Readable & { isTTY?: boolean; unref?: () => unknown };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /** The script that starts this program, for the MCP servers that it ships. */
  readonly commandLine: string;
  /** Sets the exit code. The process exits by itself once everything is written. */
  setExitCode(code: number): void;
}
