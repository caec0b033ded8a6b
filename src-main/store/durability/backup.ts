import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, copyFileSync } from 'node:fs';
import { basename, join, dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { connect, useJournal } from '../database/connection.ts';
import type { StoreClock } from '../database/database.ts';
import { applicationIds } from '../database/fileKind.ts';
import { backupFolder, listBackups, versionOfBackup } from './backupFiles.ts';
import { syncPath } from './durableFile.ts';

/** A copy of a backup, open for writing. */
export type BackupCopy = Sqlite.Database;

/**
 * Changes each backup of a database: in a copy that takes its place once it was checked, and without
 * what its free space still held. Returns those that couldn't be changed; they stay as they are.
 */
export async function rewriteBackups(
  file: string,
  change: (db: BackupCopy) => Promise<boolean>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const backup of listBackups(file)) {
    const copy = `${backup}.new`;
    try {
      copyFileSync(backup, copy);
      if (await changeCopy(copy, change)) {
        syncPath(copy);
        renameSync(copy, backup);
        syncPath(dirname(backup));
      }
    } catch {
      failed.push(backup);
    }
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  }
  return failed;
}

async function changeCopy(
  file: string,
  change: (db: BackupCopy) => Promise<boolean>,
): Promise<boolean> {
  const db = connect(file, {});
  try {
    if (!(await change(db))) return false;
    db.exec('VACUUM');
    const verdict = db.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') throw new Error(String(verdict));
    return true;
  } finally {
    db.close();
  }
}

const kept = 3;

/**
 * Writes a full copy before a migration; it counts only after it was opened and checked. The last
 * three are kept. A migration that fails at every start replaces only its own backup, never that of
 * an older version.
 */
export function backUp(db: Sqlite.Database, version: number, clock: StoreClock): string {
  const folder = backupFolder(db.name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stem = `${basename(db.name, '.sqlite')}-${String(version).padStart(4, '0')}`;
  const target = join(folder, `${stem}-${clock.now().replaceAll(/[:.]/g, '-')}.sqlite`);
  const temporary = `${target}.new`;
  removeUnfinished(folder);
  try {
    db.prepare('VACUUM INTO ?').run(temporary);
    chmodSync(temporary, 0o600);
    finishBackup(temporary, version);
    syncPath(temporary);
    renameSync(temporary, target);
    syncPath(folder);
  } catch (error) {
    removeUnfinished(folder);
    throw error;
  }
  dropOld(db.name, target);
  return target;
}

/** Removes what an attempt that failed or was killed left, with SQLite's files next to it. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (/\.sqlite\.new(-\w+)?$/.test(name)) rmSync(join(folder, name), { force: true });
}

/**
 * Checks the copy. Then gives it the form in which a workspace is opened, and the mark by which the
 * program knows a backup that was copied into a workspace.
 */
function finishBackup(file: string, version: number): void {
  const copy = connect(file, {});
  try {
    const verdict = copy.pragma('quick_check(1)', { simple: true });
    const found = Number(copy.pragma('user_version', { simple: true }));
    if (verdict !== 'ok' || found !== version)
      throw new Error(
        `The backup ${file} is incomplete: ${String(verdict)}, schema version ${found} instead of ${version}.`,
      );
    useJournal(copy);
    copy.pragma(`application_id = ${applicationIds.backup}`);
  } finally {
    copy.close();
  }
}

function dropOld(file: string, newest: string): void {
  const version = (path: string) => versionOfBackup(file, basename(path));
  const others = listBackups(file).filter((path) => path !== newest);
  const sameVersion = others.filter((path) => version(path) === version(newest));
  const older = others.filter((path) => version(path) !== version(newest));
  for (const path of [...sameVersion, ...older.slice(kept - 1)]) rmSync(path, { force: true });
}
