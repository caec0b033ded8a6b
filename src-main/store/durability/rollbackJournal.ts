import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { damaged } from './damaged.ts';

/**
 * Before a database is switched to a write-ahead journal, SQLite writes to it with this one. If the
 * process ends meanwhile, the journal holds the pages as they were before.
 */
export const rollbackJournalFile = (file: string) => `${file}-journal`;
/** Where the journal is tried out, next to the database and therefore on the same disk. */
export const recoveryFolder = (file: string) => `${file}.recovery`;

/**
 * Takes back a write that was interrupted, first in a copy: a journal that belongs to another
 * database would ruin this one. A connection that only reads can't do it and would be refused.
 */
export function recoverRollbackJournal(file: string): void {
  if (!isHot(file)) return;
  const folder = recoveryFolder(file);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  try {
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    copyFileSync(rollbackJournalFile(file), rollbackJournalFile(copy));
    const problem = findProblem(copy);
    if (problem !== null) throw unfit(file, problem);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  rollBack(file).close();
}

/** As SQLite decides it: a journal whose first byte is zero is finished. */
function isHot(file: string): boolean {
  const path = rollbackJournalFile(file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isFile())
    throw damaged(
      file,
      `${path} is in the place of its journal, but isn't a file.`,
      `Move it away.`,
    );
  const handle = openSync(path, 'r');
  try {
    const first = Buffer.alloc(1);
    return readSync(handle, first, 0, 1, 0) === 1 && first[0] !== 0;
  } finally {
    closeSync(handle);
  }
}

/** SQLite takes the journal's pages back as soon as a connection that may write reads something. */
const rollBack = (file: string): Sqlite.Database =>
  readFirst(new Sqlite(file, { fileMustExist: true }));

/** SQLite opens a file when something is read. Closes the connection where that fails. */
export function readFirst(db: Sqlite.Database): Sqlite.Database {
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function findProblem(file: string): string | null {
  try {
    const db = rollBack(file);
    try {
      if (existsSync(rollbackJournalFile(file))) return 'SQLite does not take it';
      const verdict = String(db.pragma('integrity_check(1)', { simple: true }));
      return verdict === 'ok' ? null : verdict;
    } finally {
      db.close();
    }
  } catch (error) {
    return errorText(error);
  }
}

const unfit = (file: string, problem: string) =>
  damaged(
    file,
    `A write to it was interrupted, and with its journal ${rollbackJournalFile(file)} it isn't a sound database (${problem}).`,
    `If the journal is left from another database, move it away and start again. Otherwise \`touchstone restore\` brings back the newest backup.`,
  );
