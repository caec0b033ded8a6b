import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { makeFolder } from '../../runtime/makeFolder.ts';
import type { StoreClock } from '../database/database.ts';
import { markerFile } from '../database/databaseFile.ts';
import { withDiskTrouble } from './diskTrouble.ts';
import { syncPath } from './durableFile.ts';
import {
  betweenFile,
  inspectJournal,
  inUseFile,
  journalFile,
  recordedJournal,
  scanCheckedWal,
} from './journal.ts';
import { checksumFile, findDamage, readChecksums } from './pageChecksums.ts';
import { readRaw } from './rawFile.ts';
import { rollbackJournalFile } from './rollbackJournal.ts';
import { readDamagedJournal, type SalvagedJournal } from './salvageJournal.ts';
import { readWalHeader } from './walFile.ts';

export interface Salvage {
  tables: SalvagedTable[];
  /** What is damaged or gone of the database and its journal, one sentence each. */
  missing: string[];
}

interface SalvagedTable {
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
 * each table. Works on a copy, so that not even SQLite's own files next to the original change. The
 * journal is read past damaged frames. A table that breaks off is read from its end too, and reported
 * with the reason.
 */
export function exportReadable(file: string, folder: string): Salvage {
  return withDiskTrouble(file, () => {
    makeFolder(folder);
    const copies = mkdtempSync(join(folder, '.copy-'));
    try {
      const copy = join(copies, basename(file));
      const missing = copyWithJournal(file, copies);
      const db = new Sqlite(copy, { fileMustExist: true });
      try {
        return { tables: exportTables(db, folder), missing };
      } finally {
        db.close();
      }
    } finally {
      rmSync(copies, { recursive: true, force: true });
    }
  });
}

/**
 * Copies the database with what its journal holds. Returns what is damaged or gone. SQLite itself
 * would end, without a word, at the first frame that is damaged.
 */
function copyWithJournal(file: string, folder: string): string[] {
  const header = readWalHeader(journalFile(file));
  const finding = inspectJournal(file, existsSync(markerFile(file)));
  const isForeign = finding === 'foreign' && header !== 'damaged';
  const committed = recordedJournal(file);
  const journal =
    header === null || isForeign
      ? null
      : readDamagedJournal(journalFile(file), pageSizeOf(file), committed);
  const checksums = readChecksums(file);
  // What an unchecked session copied from the file into its journal hides no damage of the file.
  const checked = committed?.uncheckedFrom == null ? journal : scanCheckedWal(file);
  const damage = checksums && findDamage(file, checksums, checked);
  copyInto(file, folder, header === null ? [file, rollbackJournalFile(file)] : [file]);
  if (journal !== null) applyPages(join(folder, basename(file)), journalFile(file), journal);
  return [
    ...(damage === null ? [] : [`The database is damaged: ${damage}.`]),
    ...(finding === 'missing' ? ['The journal is gone, and with it what was saved last.'] : []),
    ...(isForeign ? ['The journal belongs to another database and was left out.'] : []),
    ...(header !== null && !isForeign && journal?.damaged !== 0
      ? [
          (journal === null
            ? 'The journal can’t be read.'
            : `${formatCount(journal.damaged)} of ${counted(journal.frames, 'page')} in the journal can’t be read.`) +
            ' What was saved last there is missing.',
        ]
      : []),
  ];
}

/** The page size at byte 16 of the database; 1 means 65,536. */
function pageSizeOf(file: string): number {
  const head = Buffer.alloc(18);
  readRaw(file, (handle) => readSync(handle, head, 0, 18, 0));
  const size = head.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** Writes pages of a journal into a copy of its database, which then needs no journal. */
function applyPages(
  copy: string,
  journal: string,
  { pageSize, pageCount, pages }: SalvagedJournal,
): void {
  const source = openSync(journal, 'r');
  const target = openSync(copy, 'r+');
  try {
    const page = Buffer.alloc(pageSize);
    for (const [number, offset] of pages) {
      if (pageCount !== null && number > pageCount) continue;
      readSync(source, page, 0, pageSize, offset);
      writeSync(target, page, 0, pageSize, (number - 1) * pageSize);
    }
    if (pageCount !== null) {
      ftruncateSync(target, pageCount * pageSize);
      const count = Buffer.alloc(4);
      count.writeUInt32BE(pageCount);
      writeSync(target, count, 0, 4, 28);
    }
    // Bytes 18 and 19: written and read without a journal.
    writeSync(target, Buffer.of(1, 1), 0, 2, 18);
  } finally {
    closeSync(source);
    closeSync(target);
  }
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
  const name = `"${table.replaceAll('"', '""')}"`;
  let rows = 0;
  const write = ({ [rowid]: _, ...row }: Record<string, unknown>): void => {
    writeSync(
      handle,
      `${JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`,
    );
    rows += 1;
  };
  let last: number | null = null;
  try {
    // Some tables have no rowid; then there is but one way to read them.
    const hasRowid = orElse(() => db.prepare(`SELECT rowid FROM ${name} LIMIT 0`), null) !== null;
    const columns = hasRowid ? `rowid AS ${rowid}, *` : '*';
    const read = (order: string) =>
      db.prepare<[], Record<string, unknown>>(
        `SELECT ${columns} FROM ${name} NOT INDEXED ${order}`,
      );
    try {
      for (const row of read(hasRowid ? 'ORDER BY rowid' : '').iterate()) {
        write(row);
        last = hasRowid ? (row[rowid] as number) : null;
      }
      return { table, rows, error: null };
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError)) throw error;
      if (hasRowid) readBackwards(read('ORDER BY rowid DESC'), last, write);
      return { table, rows, error: error.message };
    }
  } finally {
    closeSync(handle);
  }
}

const rowid = 'touchstone_rowid';

/** What lies behind the damage, from the end of the table up to it. */
function readBackwards(
  all: Sqlite.Statement<[], Record<string, unknown>>,
  last: number | null,
  write: (row: Record<string, unknown>) => void,
): void {
  try {
    for (const row of all.iterate()) {
      if (last !== null && (row[rowid] as number) <= last) return;
      write(row);
    }
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  }
}
