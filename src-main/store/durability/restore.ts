import { closeSync, copyFileSync, existsSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { connect, useJournal } from '../database/connection.ts';
import type { StoreClock } from '../database/database.ts';
import { applicationIds } from '../database/fileKind.ts';
import { pendingMigrations, readSchemaState } from '../database/migrate.ts';
import { readMigrations } from '../database/migrationFiles.ts';
import { NotPlainFile, openPlainFileSync } from '../../runtime/plainFile.ts';
import { withDiskTrouble } from './diskTrouble.ts';
import { syncPath } from './durableFile.ts';
import { removeOldFiles } from './ownFiles.ts';
import { copyAside } from './salvage.ts';

export interface RestoreOptions {
  file: string;
  backup: string;
  migrationsFolder: string;
  clock: StoreClock;
}

/**
 * Puts a checked copy of a backup in the place of the database. Returns the folder with the files
 * that were there before; null if there were none. If the process ends at any moment, the database
 * is the old one or the backup, and the next start knows which.
 */
export function restoreBackup({
  file,
  backup,
  migrationsFolder,
  clock,
}: RestoreOptions): string | null {
  return withDiskTrouble(file, () => {
    const copy = `${file}.restored.new`;
    removeCopy(copy);
    try {
      checkHead(backup);
      copyFileSync(backup, copy);
      finishCopy(copy, backup, migrationsFolder);
      syncPath(copy);
      const aside = existsSync(file) ? copyAside(file, clock) : null;
      renameSync(copy, file);
      syncPath(dirname(file));
      removeOldFiles(file);
      return aside;
    } finally {
      removeCopy(copy);
    }
  });
}

/** What has no end, or is another kind of file, is not copied. */
function checkHead(backup: string): void {
  const mark = Buffer.alloc(16);
  try {
    const handle = openPlainFileSync(backup);
    try {
      readSync(handle, mark, 0, mark.length, 0);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw error instanceof NotPlainFile ? unusable(backup, error.message) : error;
  }
  if (mark.toString('latin1') !== 'SQLite format 3\0') throw notSqlite(backup);
}

function finishCopy(copy: string, backup: string, migrationsFolder: string): void {
  const db = openBackup(copy, backup);
  try {
    const verdict = String(db.pragma('integrity_check(1)', { simple: true }));
    if (verdict !== 'ok') throw unusable(backup, `Its content is damaged (${verdict}).`);
    const state = readSchemaState(db);
    if (!state.hasTables) throw unusable(backup, 'It contains no tables.');
    pendingMigrations(backup, state, readMigrations(migrationsFolder));
    useJournal(db);
    db.pragma(`application_id = ${applicationIds.backup}`);
  } finally {
    db.close();
  }
}

function openBackup(copy: string, backup: string) {
  try {
    return connect(copy, {});
  } catch {
    throw notSqlite(backup);
  }
}

function removeCopy(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(copy + suffix, { force: true });
}

const notSqlite = (backup: string) => unusable(backup, "It isn't a SQLite database.");

const unusable = (backup: string, cause: string) =>
  new ServiceError('TROUBLE', {
    thing: `The backup ${backup}`,
    cause: `${cause} Nothing was changed.`,
    nextStep: 'Choose another backup.',
    onCommandLine: '`touchstone restore --list` shows them.',
  });
