import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeFolder } from '../../runtime/makeFolder.ts';
import type { StoreClock } from '../database/database.ts';
import { markerFile } from '../database/databaseFile.ts';
import { withDiskTrouble } from './diskTrouble.ts';
import { syncPath } from './durableFile.ts';
import { betweenFile, inUseFile, journalFile } from './journal.ts';
import { checksumFile } from './pageChecksums.ts';
import { rollbackJournalFile } from './rollbackJournal.ts';

export interface SalvagedTable {
  table: string;
  rows: number;
  /** Null where every row could be read; otherwise why reading stopped. */
  error: string | null;
}

const filesOf = (file: string) => [
  file,
  journalFile(file),
  `${file}-shm`,
  markerFile(file),
  inUseFile(file),
  betweenFile(file),
  checksumFile(file),
  rollbackJournalFile(file),
];

/**
 * Copies the database with all its files into a new folder next to it and returns that folder. The
 * originals are only read.
 */
export function copyAside(file: string, clock: StoreClock): string {
  return withDiskTrouble(file, () => {
    const folder = mkdtempSync(
      join(dirname(file), `damaged-${clock.now().replaceAll(/[:.]/g, '-')}-`),
    );
    copyInto(file, folder, filesOf(file));
    syncPath(folder);
    return folder;
  });
}

/**
 * Writes what is readable of a database, sound or damaged, into `folder`: a file of JSON lines for
 * each table. Works on a copy, so that not even SQLite's own files next to the original change. A
 * table that breaks off is reported with the reason.
 */
export function exportReadable(file: string, folder: string): SalvagedTable[] {
  return withDiskTrouble(file, () => {
    makeFolder(folder);
    const copies = mkdtempSync(join(folder, '.copy-'));
    try {
      copyInto(file, copies, [file, journalFile(file), rollbackJournalFile(file)]);
      const db = new Sqlite(join(copies, basename(file)), { fileMustExist: true });
      try {
        return exportTables(db, folder);
      } finally {
        db.close();
      }
    } finally {
      rmSync(copies, { recursive: true, force: true });
    }
  });
}

function copyInto(file: string, folder: string, files: readonly string[]): void {
  for (const source of files) {
    // Without the database file there is nothing to copy, and the error says so.
    if (source === file || existsSync(source)) copyFileSync(source, join(folder, basename(source)));
  }
}

function exportTables(db: Sqlite.Database, folder: string): SalvagedTable[] {
  db.pragma('trusted_schema = OFF');
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all();
  return tables.map((table) =>
    exportTable(db, table, join(folder, `${table.replaceAll(/[^\w.-]/g, '_')}.jsonl`)),
  );
}

function exportTable(db: Sqlite.Database, table: string, target: string): SalvagedTable {
  const handle = openSync(target, 'w', 0o600);
  let rows = 0;
  try {
    for (const row of db
      .prepare(`SELECT * FROM "${table.replaceAll('"', '""')}" NOT INDEXED`)
      .iterate()) {
      writeSync(
        handle,
        `${JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`,
      );
      rows += 1;
    }
    return { table, rows, error: null };
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return { table, rows, error: error.message };
  } finally {
    closeSync(handle);
  }
}
