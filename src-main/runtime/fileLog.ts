import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Two files of at most this size: the current one and its predecessor. */
const maxBytes = 1024 * 1024;
const maxLineLength = 8_000;

export interface FileLog extends Log {
  readonly file: string;
  /** The last lines, oldest first, across both files. */
  lastLines(count: number): string[];
}

export interface FileLogParts {
  file: string;
  clock: Clock;
  /** Removes secrets before anything is written. */
  redact: (text: string) => string;
  /** Gets the same messages, redacted too. */
  also?: Log | undefined;
  maxBytes?: number;
}

/**
 * Writes the log of the program to a file next to the database, readable by its owner alone. On a
 * full disk only lines of the log are lost.
 */
export function createFileLog({
  file,
  clock,
  redact,
  also,
  maxBytes: limit = maxBytes,
}: FileLogParts): FileLog {
  const write = (level: 'info' | 'error', text: string): void => {
    const message = redact(text);
    also?.[level](message);
    // One entry per line: the name of a server or a file must not forge entries.
    const line = `${clock.now()} ${level} ${message
      .slice(0, maxLineLength)
      .replaceAll(/\s*\n\s*/g, ' ⏎ ')
      .replaceAll(/\p{Cc}|\p{Cf}/gu, '?')}\n`;
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + Buffer.byteLength(line) > limit)
        renameSync(file, `${file}.old`);
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      // A log that can't be written must not stop the program.
    }
  };
  return {
    file,
    info: (message) => write('info', message),
    error: (message) => write('error', message),
    lastLines: (count) =>
      [...linesOf(`${file}.old`, limit), ...linesOf(file, limit)].slice(-count).map(redact),
  };
}

function linesOf(file: string, limit: number): string[] {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    // No log was written yet.
    return [];
  }
  try {
    const length = Math.min(fstatSync(handle).size, limit);
    const buffer = Buffer.alloc(length);
    const read = readSync(handle, buffer, 0, length, 0);
    return buffer
      .toString('utf8', 0, read)
      .split('\n')
      .filter((line) => line !== '');
  } finally {
    closeSync(handle);
  }
}
