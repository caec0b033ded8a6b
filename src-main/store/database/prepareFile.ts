import { existsSync, rmSync, statSync } from 'node:fs';
import { afterDamage, afterForeignChange, damaged } from '../durability/damaged.ts';
import {
  countLostFrames,
  journalFile,
  markClosed,
  markClosing,
  markOpening,
  scanCheckedWal,
} from '../durability/journal.ts';
import { removeUnfinished, setAsideOldFiles } from '../durability/ownFiles.ts';
import {
  checksumFile,
  computeChecksums,
  findDamage,
  readChecksums,
  writeChecksums,
} from '../durability/pageChecksums.ts';
import { recoverRollbackJournal } from '../durability/rollbackJournal.ts';
import { corruption, findFault } from '../durability/sqliteCheck.ts';
import { scanWal } from '../durability/walFile.ts';
import { connect, useJournal } from './connection.ts';
import type { StoreClock } from './database.ts';
import { createEmpty, inspectFile, markerFile, requireOwnJournal } from './databaseFile.ts';
import { applicationIds, readFileKind } from './fileKind.ts';
import { pendingMigrations, readSchemaState } from './migrate.ts';
import type { Migration } from './migrationFiles.ts';

/**
 * Up to this size, a database is always read as a whole before it is opened, and after a crash its
 * indexes are compared with their tables: 0.3 s.
 */
export const maxInlineBytes = 64 * 1024 * 1024;

export interface PreparedFile {
  /** The last session ended without closing the database. */
  afterCrash: boolean;
  /** What the journal holds; null where the whole file was checked. */
  unchecked: { salt: number; frames: number } | null;
}

/**
 * Finds everything that can be wrong with a database before anything is written to it, and gives it
 * checksums where it has none. Of one with more than `maxUnread` bytes, only the beginning and the
 * journal are read, unless it has to be migrated: the caller has the rest checked.
 */
export function prepareFile(
  file: string,
  migrations: readonly Migration[],
  clock: StoreClock,
  timeout: number,
  maxUnread: number,
): PreparedFile {
  if (inspectFile(file) === 'new') createEmpty(file);
  removeUnfinished(file);
  if (readFileKind(file) === 'backup') setAsideOldFiles(file, clock);
  recoverRollbackJournal(file);
  if (readFileKind(file) === 'unjournaled') setAsideOldFiles(file, clock);
  const { hasChecksums, ...prepared } = checkFile(file, migrations, timeout, maxUnread);
  if (readFileKind(file) !== 'workspace') adopt(file, timeout);
  else if (!hasChecksums) writeChecksums(file, computeChecksums(file));
  return prepared;
}

/** Reads the file, without SQLite and then on a connection that can't write. */
function checkFile(
  file: string,
  migrations: readonly Migration[],
  timeout: number,
  maxUnread: number,
) {
  const hasJournal = requireOwnJournal(file);
  const journal = hasJournal ? scanWal(journalFile(file)) : null;
  const lost = countLostFrames(file, journal);
  if (lost > 0)
    throw damaged(
      file,
      `Its journal ${journalFile(file)} is damaged: ${lost} of the pages that were saved last can't be read.`,
    );
  const checksums = readFileKind(file) === 'workspace' ? readChecksums(file) : null;
  const found = { afterCrash: hasJournal, hasChecksums: checksums !== null };
  const { size } = statSync(file);
  if (checksums !== null && size > maxUnread && !checkContent(file, migrations, timeout, null)) {
    const [salt, frames] = [journal?.header.salt ?? 0, journal?.frames ?? 0];
    return {
      ...found,
      unchecked: { salt, frames: scanCheckedWal(file, journal)?.frames ?? frames },
    };
  }
  const damage =
    checksums === null ? null : findDamage(file, checksums, scanCheckedWal(file, journal));
  if (damage !== null)
    throw damaged(
      file,
      `Its content is damaged, or another program has changed it: ${damage}.`,
      `${afterDamage(file)} ${afterForeignChange(file)}`,
    );
  const thorough = checksums === null || (hasJournal && size <= maxInlineBytes);
  checkContent(file, migrations, timeout, thorough ? 'integrity_check(1)' : 'quick_check(1)');
  return { ...found, unchecked: null };
}

/** Returns whether migrations are pending. */
function checkContent(
  file: string,
  migrations: readonly Migration[],
  timeout: number,
  check: 'integrity_check(1)' | 'quick_check(1)' | null,
): boolean {
  if (statSync(file).size === 0) return true;
  const db = connect(file, { readonly: true, timeout });
  try {
    const state = readSchemaState(db);
    if (!state.hasTables && existsSync(markerFile(file)))
      throw damaged(file, `It contains no tables, but ${markerFile(file)} says that it held data.`);
    const isPending = pendingMigrations(file, state, migrations).length > 0;
    if (check === null) return isPending;
    const fault = findFault(db, check);
    if (fault !== null) throw damaged(file, `Its content is damaged (${fault}).`);
    return isPending;
  } catch (error) {
    const fault = corruption(error);
    if (fault === null) throw error;
    throw damaged(file, `Its content is damaged (${fault}).`);
  } finally {
    db.close();
  }
}

/**
 * Makes a new, restored, or older database one with checksums: until its application id is set,
 * checksums next to it don't count, and afterwards it is the only one that can have written them.
 */
function adopt(file: string, timeout: number): void {
  rmSync(checksumFile(file), { force: true });
  markClosing(file);
  markOpening(file);
  const db = connect(file, { timeout });
  try {
    useJournal(db);
    db.pragma(`application_id = ${applicationIds.workspace}`);
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  markClosed(file);
  writeChecksums(file, computeChecksums(file));
}
