import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { damaged } from './damaged.ts';
import { countLostFrames, journalFile } from './journal.ts';
import { findDamage, readChecksums } from './pageChecksums.ts';
import { scanWal, type WalScan } from './walFile.ts';
import { readLockHolder } from './workspaceLock.ts';

/**
 * The content of a database as it is now, in the form that SQLite opens from memory. For folders
 * that SQLite can't open a database in, because even reading creates files there: on a full disk or
 * a read-only one. Null while another process may be writing.
 */
export function readIntoMemory(file: string): Buffer | null {
  if (readLockHolder(dirname(file)) !== null) return null;
  const journal = scanWal(journalFile(file));
  const checksums = readChecksums(file);
  const damage = checksums === null ? null : findDamage(file, checksums, journal);
  if (damage !== null) throw damaged(file, `Its content is damaged: ${damage}.`);
  if (countLostFrames(file, journal) > 0)
    throw damaged(file, `Its journal ${journalFile(file)} is damaged.`);
  const content = withPages(readFileSync(file), journal, journalFile(file));
  // There is no journal in memory.
  content.fill(1, 18, 20);
  return content;
}

/** Whether SQLite refused because it can't create its own files next to the database. */
export function isPlaceUnwritable(error: unknown): boolean {
  return (
    error instanceof Sqlite.SqliteError &&
    error.code !== 'SQLITE_READONLY_ROLLBACK' &&
    /^SQLITE_(CANTOPEN|FULL|READONLY|IOERR)/.test(error.code)
  );
}

function withPages(content: Buffer, journal: WalScan | null, path: string): Buffer {
  if (journal?.pageCount == null) return content;
  const { pageSize } = journal.header;
  const whole = Buffer.alloc(journal.pageCount * pageSize);
  content.copy(whole);
  const handle = openSync(path, 'r');
  try {
    for (const [page, { offset }] of journal.pages)
      if (page <= journal.pageCount)
        readSync(handle, whole, (page - 1) * pageSize, pageSize, offset);
  } finally {
    closeSync(handle);
  }
  return whole;
}
