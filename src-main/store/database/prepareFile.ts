import { existsSync, rmSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterDamage, damaged } from '../durability/damaged.ts';
import {
  countLostFrames,
  journalFile,
  markClosed,
  markClosing,
  markOpening,
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
import { scanWal } from '../durability/walFile.ts';
import { connect, useJournal } from './connection.ts';
import type { StoreClock } from './database.ts';
import { createEmpty, inspectFile, markerFile, requireOwnJournal } from './databaseFile.ts';
import { applicationIds, readFileKind } from './fileKind.ts';
import { pendingMigrations, readSchemaState } from './migrate.ts';
import type { Migration } from './migrationFiles.ts';

/** After a crash, indexes are compared with their tables at once up to this size: 0.3 s. */
const maxInlineBytes = 64 * 1024 * 1024;

/**
 * Finds everything that can be wrong with a database before anything is written to it, and gives it
 * checksums where it has none. Returns whether the last session ended without closing it.
 */
export function prepareFile(
  file: string,
  migrations: readonly Migration[],
  clock: StoreClock,
  timeout: number,
): { afterCrash: boolean } {
  if (inspectFile(file) === 'new') createEmpty(file);
  removeUnfinished(file);
  if (readFileKind(file) === 'backup') setAsideOldFiles(file, clock);
  recoverRollbackJournal(file);
  if (readFileKind(file) === 'unjournaled') setAsideOldFiles(file, clock);
  const { afterCrash, hasChecksums } = checkFile(file, migrations, timeout);
  if (readFileKind(file) !== 'workspace') adopt(file, timeout);
  else if (!hasChecksums) writeChecksums(file, computeChecksums(file));
  return { afterCrash };
}

/** Reads the whole file, without SQLite and then on a connection that can't write. */
function checkFile(file: string, migrations: readonly Migration[], timeout: number) {
  const hasJournal = requireOwnJournal(file);
  const journal = hasJournal ? scanWal(journalFile(file)) : null;
  const lost = countLostFrames(file, journal);
  if (lost > 0)
    throw damaged(
      file,
      `Its journal ${journalFile(file)} is damaged: ${lost} of the pages that were saved last can't be read.`,
    );
  const checksums = readFileKind(file) === 'workspace' ? readChecksums(file) : null;
  const damage = checksums === null ? null : findDamage(file, checksums, journal);
  if (damage !== null)
    throw damaged(
      file,
      `Its content is damaged, or another program has changed it: ${damage}.`,
      `${afterDamage(file)} If you changed it with another program, delete ${checksumFile(file)} and start again.`,
    );
  const thorough = checksums === null || (hasJournal && statSync(file).size <= maxInlineBytes);
  checkContent(file, migrations, timeout, thorough ? 'integrity_check(1)' : 'quick_check(1)');
  return { afterCrash: hasJournal, hasChecksums: checksums !== null };
}

function checkContent(
  file: string,
  migrations: readonly Migration[],
  timeout: number,
  check: 'integrity_check(1)' | 'quick_check(1)',
): void {
  if (statSync(file).size === 0) return;
  const db = connect(file, { readonly: true, timeout });
  try {
    const state = readSchemaState(db);
    if (!state.hasTables && existsSync(markerFile(file)))
      throw damaged(file, `It contains no tables, but ${markerFile(file)} says that it held data.`);
    pendingMigrations(file, state, migrations);
    const verdict = db.pragma(check, { simple: true });
    if (verdict !== 'ok') throw damaged(file, `Its content is damaged (${String(verdict)}).`);
  } catch (error) {
    if (
      error instanceof Sqlite.SqliteError &&
      (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB')
    )
      throw damaged(file, `Its content is damaged (${error.code}: ${error.message}).`);
    throw error;
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
