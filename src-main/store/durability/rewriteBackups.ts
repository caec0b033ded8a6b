import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { connect } from '../database/connection.ts';
import { listBackups } from './backupFiles.ts';
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
