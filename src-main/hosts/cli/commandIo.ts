import type { Readable } from 'node:stream';

export interface OutputStream {
  isTTY?: boolean;
  columns?: number;
  /** Calls back when the text is written, with an error where nobody reads any more. */
  write(text: string, written?: (error?: Error | null) => void): boolean;
}

/**
 * Everything of its process that a command may touch. `main.ts` hands over the real process; tests
 * hand over streams in memory.
 */
export interface CommandIo {
  readonly stdin: Readable & { isTTY?: boolean; unref?: () => unknown };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /** The script that starts this program again, for the MCP servers that it ships. */
  readonly commandLine: string;
  /** Says what the answer means. The process ends by itself once everything is written. */
  setExitCode(code: number): void;
}
