import { readFileSync, writeFileSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { requirePlainFiles } from '../durability/ownFiles.ts';
import { backUp } from '../durability/backup.ts';
import { Checkpoints } from '../durability/checkpoints.ts';
import { connect, useJournal } from './connection.ts';
import type { ReadableDatabase, StoreClock, WritableDatabase, WriteSession } from './database.ts';
import { inspectPlace, markHasData } from './databaseFile.ts';
import { asDiskTrouble, withDiskTrouble } from '../durability/diskTrouble.ts';
import { markClosed, markClosing, markOpening } from '../durability/journal.ts';
import { isPlaceUnwritable, readIntoMemory } from '../durability/memoryCopy.ts';
import { countConnection } from '../durability/rawFile.ts';
import { readFirst } from '../durability/rollbackJournal.ts';
import { applyMigrations, pendingMigrations, readSchemaState } from './migrate.ts';
import { readMigrations, type Migration } from './migrationFiles.ts';
import { prepareFile } from './prepareFile.ts';

export interface DatabaseOptions {
  file: string;
  migrationsFolder: string;
  clock: StoreClock;
  /**
   * Milliseconds that a statement waits for another writer. The event loop is blocked meanwhile.
   */
  busyTimeoutMs?: number;
  /**
   * A larger file, in bytes, is opened for writing before all its pages were read: the caller then
   * has them checked behind (`WriteSession.isChecked`). Default: none is.
   */
  maxUnread?: number;
}

/** Tests open thousands of new databases: they copy one that was migrated before. */
export const newDatabases: { copyTo: ((options: DatabaseOptions) => void) | null } = {
  copyTo: null,
};

/**
 * Opens the workspace's database and migrates it to the current schema. For writing, the whole file
 * is read first and compared with its checksums, then checked by SQLite through a read-only
 * connection, so that a damaged file keeps every byte, because a damaged database must never be
 * written to. A window doesn't wait for that where the file is large: until it was checked, what is
 * saved stays in the journal. Throws TROUBLE that names the file, what is wrong with it and what to
 * do. A file that held data is never replaced by a new one.
 */
export function openDatabase(options: DatabaseOptions & { access: 'write' }): WritableDatabase;
export function openDatabase(
  options: DatabaseOptions & { access: 'read' | 'write' },
): ReadableDatabase;
export function openDatabase(
  options: DatabaseOptions & { access: 'read' | 'write' },
): ReadableDatabase {
  const { file, migrationsFolder, clock, access, busyTimeoutMs = 2000 } = options;
  const { maxUnread = Number.POSITIVE_INFINITY } = options;
  requirePlainFiles(file);
  if (access === 'write') newDatabases.copyTo?.(options);
  const migrations = readMigrations(migrationsFolder);
  return withDiskTrouble(file, () =>
    access === 'read'
      ? openForReading(file, migrations, busyTimeoutMs)
      : openForWriting(file, migrations, clock, busyTimeoutMs, maxUnread),
  );
}

/** Nothing is kept, so nothing has to survive the end of the process. */
const temporarySession: WriteSession = {
  afterCrash: false,
  damage: null,
  isChecked: true,
  passCheck: () => undefined,
  checkNow: () => undefined,
  refuseWrites: () => undefined,
  afterCommit: () => undefined,
};

/**
 * A new database for one command that works on files: no write waits for the disk, and no journal
 * or checksums are kept. Running all migrations takes longer than such a command's own work, so it
 * starts from the content of an empty database if there is one.
 */
export function openTemporaryDatabase({
  file,
  empty,
  migrationsFolder,
  clock,
}: Pick<DatabaseOptions, 'file' | 'migrationsFolder' | 'clock'> & {
  empty: string | null;
}): WritableDatabase {
  return withDiskTrouble(file, () => {
    writeFileSync(file, empty === null ? '' : readFileSync(empty), { mode: 0o600 });
    const db = connect(file, {});
    try {
      db.pragma('journal_mode = MEMORY');
      db.pragma('synchronous = OFF');
      const state = readSchemaState(db);
      applyMigrations(db, pendingMigrations(file, state, readMigrations(migrationsFolder)), clock);
    } catch (error) {
      db.close();
      throw error;
    }
    return Object.assign(db, { __access: 'write' as const, session: temporarySession });
  });
}

function openForReading(
  file: string,
  migrations: readonly Migration[],
  timeout: number,
): ReadableDatabase {
  if (inspectPlace(file) === 'new') {
    throw new ServiceError('NOT_FOUND', {
      thing: `The database ${file}`,
      cause: "It doesn't exist yet.",
      nextStep: 'Start Touchstone once with this workspace folder, or choose another folder.',
    });
  }
  const db = countConnection(file, openReadable(file, timeout));
  try {
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
    return Object.assign(db, { __access: 'read' as const, session: null });
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Where SQLite can't create its own files next to the database, reads a copy in memory. */
function openReadable(file: string, timeout: number): Sqlite.Database {
  try {
    return readFirst(connect(file, { readonly: true, timeout }));
  } catch (error) {
    const content = isPlaceUnwritable(error) ? readIntoMemory(file) : null;
    if (content === null) throw error;
    return connect(content, { readonly: true });
  }
}

function openForWriting(
  file: string,
  migrations: readonly Migration[],
  clock: StoreClock,
  timeout: number,
  maxUnread: number,
): WritableDatabase {
  const { afterCrash, unchecked } = prepareFile(file, migrations, clock, timeout, maxUnread);
  markOpening(file);
  const db = countConnection(file, connect(file, { timeout }));
  const checkpoints = new Checkpoints(db, unchecked);
  const close = db.close.bind(db);
  const closeMarked = () => {
    markClosing(file);
    checkpoints.close(close);
    markClosed(file);
  };
  try {
    useJournal(db);
    bringUpToDate(db, migrations, clock);
    markHasData(file);
    // Commits something small, so that this session's journal exists and can be told apart from
    // others.
    db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
    checkpoints.begin();
  } catch (error) {
    closeMarked();
    throw error;
  }
  const session = Object.assign(checkpoints, { afterCrash });
  return closeOrderly(Object.assign(db, { __access: 'write' as const, session }), closeMarked);
}

function bringUpToDate(
  db: Sqlite.Database,
  migrations: readonly Migration[],
  clock: StoreClock,
): void {
  const state = readSchemaState(db);
  const pending = pendingMigrations(db.name, state, migrations);
  if (pending.length === 0) return;
  const backup = state.hasTables ? backUp(db, state.version, clock) : null;
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
        nextStep: `${disk?.data.nextStep ?? 'Use the version of Touchstone that wrote it last, and report this.'}${backup === null ? '' : ` A backup from before is ${backup}.`}`,
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
