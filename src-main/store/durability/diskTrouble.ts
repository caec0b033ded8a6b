import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { ServiceError, type ErrorData } from '../../../src-shared/contract/errors.ts';
import { afterDamage } from './damaged.ts';
import { readLockHolder } from './workspaceLock.ts';

type Explanation = Pick<ErrorData, 'cause' | 'nextStep'>;

/**
 * The one place that describes trouble with the disk or the database file. Null where the error is
 * something else. Acknowledged data is never lost by such an error: the open transaction is rolled
 * back as a whole.
 */
export function asDiskTrouble(error: unknown, file: string): ServiceError | null {
  const code = codeOf(error, dirname(file));
  const explanation = code === null ? null : explain(code, file);
  return explanation === null
    ? null
    : new ServiceError(
        'TROUBLE',
        { thing: `The database ${file}`, ...explanation },
        { cause: error },
      );
}

/** Runs work that touches the disk and turns its trouble into the typed error. */
export function withDiskTrouble<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDiskTrouble(error, file) ?? error;
  }
}

/** Whether an error says that nothing can be written, while reading may still work. */
export function preventsWriting(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|EFBIG)$|^SQLITE_(FULL|READONLY|CANTOPEN|IOERR)/.test(
    code,
  );
}

/** SQLite's own code, or the operating system's for an error in the database's folder. */
function codeOf(error: unknown, folder: string): string | null {
  if (error instanceof Sqlite.SqliteError) return error.code;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return null;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : folder;
  return 'syscall' in error && path.startsWith(folder) ? error.code : null;
}

function explain(code: string, file: string): Explanation | null {
  const folder = dirname(file);
  const kept = 'Everything saved before is intact.';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      cause: `There is no space left on the disk that holds ${folder} (${freeSpace(folder)}) or within a limit set on the file. ${kept}`,
      nextStep: 'Free some space there, then try again.',
    };
  }
  if (code === 'SQLITE_IOERR_WRITE' || code === 'EFBIG') {
    return {
      cause: `Writing to the disk that holds ${folder} failed (${code}; ${freeSpace(folder)}): it is full, a limit on file sizes was reached, or the disk is failing. ${kept}`,
      nextStep: 'Check the free space and the file size limit there, then try again.',
    };
  }
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO') {
    return {
      cause: `The disk that holds ${folder} answered with an error (${code}). ${kept}`,
      nextStep:
        'Check the disk and its connection, copy the workspace folder to another disk, then try again.',
    };
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return {
      cause: `Another program is writing to it: ${describeHolder(folder)}.`,
      nextStep: 'Wait until it is done or close it, then try again.',
    };
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return {
      cause: `Its content is damaged (${code}). Nothing was changed.`,
      nextStep: `Close Touchstone. ${afterDamage(file)}`,
    };
  }
  if (code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY') {
    return {
      cause: `The last program that wrote to it was killed, and this one is read-only (${code}). ${kept}`,
      nextStep:
        'Start Touchstone once with this workspace: it recovers the database automatically.',
    };
  }
  if (
    code.startsWith('SQLITE_READONLY') ||
    code === 'EROFS' ||
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'SQLITE_PERM'
  ) {
    return {
      cause: `It can't be written to (${code}).`,
      nextStep: `Allow writing to the file and to its folder ${folder}, or choose another workspace folder.`,
    };
  }
  if (
    code.startsWith('SQLITE_CANTOPEN') ||
    code === 'ENOENT' ||
    code === 'ENOTDIR' ||
    code === 'EMFILE'
  ) {
    return {
      cause: `It or a file next to it can't be opened (${code}).`,
      nextStep: `Check that the folder ${folder} exists and that it may be read and written.`,
    };
  }
  return null;
}

function freeSpace(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return `${Math.floor((bavail * bsize) / 1024)} KiB free`;
  } catch {
    // The message is about the disk; without this part it still says what happened.
    return 'free space unknown';
  }
}

function describeHolder(folder: string): string {
  const holder = readLockHolder(folder);
  return holder === null || holder.pid === process.pid
    ? 'the host name is unknown'
    : `process ${holder.pid} (${holder.host}), since ${holder.since}`;
}
