import Sqlite from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { backUp } from '../durability/backup.ts';
import type { ReadableDatabase, StoreClock, WritableDatabase } from './database.ts';
import {
  createEmpty,
  damaged,
  inspectFile,
  markerFile,
  markHasData,
  requireOwnJournal,
  type FileState,
} from './databaseFile.ts';
import { asDiskTrouble, withDiskTrouble } from '../durability/diskTrouble.ts';
import { markClosed, markClosing, markInUse, markOpening } from '../durability/journal.ts';
import { applyMigrations, pendingMigrations, readSchemaState } from './migrate.ts';
import { readMigrations, type Migration } from './migrationFiles.ts';
import { assertSafeSqlite, sqliteVersion } from './sqliteVersion.ts';

export interface DatabaseOptions {
  file: string;
  migrationsFolder: string;
  clock: StoreClock;
  /**
   * Milliseconds that a statement waits for another writer. The event loop is blocked meanwhile.
   */
  busyTimeoutMs?: number;
}

/**
 * Opens the workspace's database and migrates it to the current schema. For writing, the whole file
 * is first checked through a read-only connection, so that a damaged file keeps every byte: about
 * half a second per gigabyte, once per start, whatever the size, because a damaged database must
 * never be written to. Throws TROUBLE that names the file, what is wrong with it and what to do. A
 * file that held data is never replaced by a new one.
 */
export function openDatabase(options: DatabaseOptions & { access: 'write' }): WritableDatabase;
export function openDatabase(
  options: DatabaseOptions & { access: 'read' | 'write' },
): ReadableDatabase;
export function openDatabase({
  file,
  migrationsFolder,
  clock,
  access,
  busyTimeoutMs = 2000,
}: DatabaseOptions & { access: 'read' | 'write' }): ReadableDatabase {
  const migrations = readMigrations(migrationsFolder);
  return withDiskTrouble(file, () =>
    access === 'read'
      ? openForReading(file, migrations, busyTimeoutMs)
      : openForWriting(file, migrations, clock, busyTimeoutMs),
  );
}

function openForReading(
  file: string,
  migrations: readonly Migration[],
  timeout: number,
): ReadableDatabase {
  if (inspectFile(file) === 'new') {
    throw new ServiceError('NOT_FOUND', {
      thing: `The database ${file}`,
      cause: 'There is none yet.',
      nextStep: 'Start Touchstone once with this workspace folder, or name another folder.',
    });
  }
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout });
  try {
    prepareConnection(db);
    const state = readSchemaState(db);
    if (pendingMigrations(file, state, migrations).length > 0) {
      const versions = `The database has schema version ${state.version}; this program needs ${migrations.at(-1)?.id}.`;
      throw new ServiceError('TROUBLE', {
        thing: `The database ${file}`,
        cause: `It was written by an older version of Touchstone. ${versions}`,
        nextStep:
          'Start Touchstone once with this workspace: it makes a backup and brings it up to date.',
      });
    }
    return Object.assign(db, { __access: 'read' as const });
  } catch (error) {
    db.close();
    throw error;
  }
}

function openForWriting(
  file: string,
  migrations: readonly Migration[],
  clock: StoreClock,
  timeout: number,
): WritableDatabase {
  const found = inspectFile(file);
  if (found === 'new') createEmpty(file);
  else checkBeforeWriting(file, migrations, timeout);

  markOpening(file);
  const db = new Sqlite(file, { fileMustExist: true, timeout });
  const close = db.close.bind(db);
  const closeMarked = () => {
    markClosing(file);
    close();
    markClosed(file);
  };
  try {
    prepareConnection(db);
    useJournal(db);
    bringUpToDate(db, found, migrations, clock);
    markHasData(file);
    // Commits something small, so that this session's journal exists and can be told apart from
    // others.
    db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
    markInUse(file);
  } catch (error) {
    closeMarked();
    throw error;
  }
  return closeOrderly(Object.assign(db, { __access: 'write' as const }), closeMarked);
}

/** Finds everything that can be wrong with a database, on a connection that can't write. */
function checkBeforeWriting(file: string, migrations: readonly Migration[], timeout: number): void {
  const hasJournal = requireOwnJournal(file);
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout });
  try {
    prepareConnection(db);
    const state = readSchemaState(db);
    if (!state.hasTables && existsSync(markerFile(file)))
      throw damaged(file, `It holds no table, but ${markerFile(file)} says that it held data.`);
    pendingMigrations(file, state, migrations);
    // After a crash the journal is part of the database, so indexes are compared with their tables
    // too.
    const verdict = db.pragma(hasJournal ? 'integrity_check(1)' : 'quick_check(1)', {
      simple: true,
    });
    if (verdict !== 'ok') throw damaged(file, `Its content is damaged (${String(verdict)}).`);
  } catch (error) {
    if (
      error instanceof Sqlite.SqliteError &&
      (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB')
    ) {
      throw damaged(file, `Its content is damaged (${error.code}: ${error.message}).`);
    }
    throw error;
  } finally {
    db.close();
  }
}

/** Settings that SQLite does not keep in the file; every connection needs them. */
function prepareConnection(db: Sqlite.Database): void {
  assertSafeSqlite(sqliteVersion(db));
  db.pragma('foreign_keys = ON');
  // Functions in a schema that somebody tampered with must not run.
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  // In WAL mode this library opens with NORMAL by default, which may lose the last commits in a
  // power cut.
  db.pragma('synchronous = FULL');
}

function useJournal(db: Sqlite.Database): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    throw new ServiceError('TROUBLE', {
      thing: `The database ${db.name}`,
      cause: `The file system of its folder does not allow a write-ahead journal (mode ${String(mode)}).`,
      nextStep: 'Choose a workspace folder on a local disk.',
    });
  }
}

function bringUpToDate(
  db: Sqlite.Database,
  found: FileState,
  migrations: readonly Migration[],
  clock: StoreClock,
): void {
  const state = readSchemaState(db);
  const pending = pendingMigrations(db.name, state, migrations);
  if (pending.length === 0) return;
  const backup = found === 'existing' && state.hasTables ? backUp(db, state.version, clock) : null;
  try {
    applyMigrations(db, pending, clock);
  } catch (error) {
    const version = Number(db.pragma('user_version', { simple: true }));
    const disk = asDiskTrouble(error, db.name);
    const reason = disk?.data.cause ?? errorText(error);
    throw new ServiceError(
      'TROUBLE',
      {
        thing: `The database ${db.name}`,
        cause: `Bringing it from schema version ${state.version} to ${pending.at(-1)?.id} failed; it is at version ${version}. ${reason}`,
        nextStep: `${disk?.data.nextStep ?? 'Go on with the version of Touchstone that wrote it last, and report this.'}${backup === null ? '' : ` A backup from before is ${backup}.`}`,
      },
      { cause: error },
    );
  }
}

const openForWritingNow = new Set<() => void>();

/**
 * However it is closed, and however the program ends by itself, the journal is written back and its
 * marker files agree with it.
 */
function closeOrderly(db: WritableDatabase, closeMarked: () => void): WritableDatabase {
  const file = db.name;
  const closeOnce = () => {
    if (db.open) withDiskTrouble(file, closeMarked);
    openForWritingNow.delete(closeOnce);
    return db;
  };
  process.off('exit', closeAll).on('exit', closeAll);
  openForWritingNow.add(closeOnce);
  return Object.assign(db, { close: closeOnce });
}

function closeAll(): void {
  for (const close of openForWritingNow) close();
}
