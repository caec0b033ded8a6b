import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { StoreClock } from '../database/database.ts';
import { syncPath } from './durableFile.ts';

const kept = 3;

/** The folder of a database's backups. */
export const backupFolder = (file: string) => join(dirname(file), 'backups');

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
  rmSync(temporary, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(temporary);
    chmodSync(temporary, 0o600);
    checkBackup(temporary, version);
    syncPath(temporary);
    renameSync(temporary, target);
    syncPath(folder);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  dropOld(folder, basename(db.name, '.sqlite'), basename(target));
  return target;
}

function checkBackup(file: string, version: number): void {
  const copy = new Sqlite(file, { readonly: true });
  try {
    const verdict = copy.pragma('quick_check(1)', { simple: true });
    const found = Number(copy.pragma('user_version', { simple: true }));
    if (verdict !== 'ok' || found !== version)
      throw new Error(
        `The backup ${file} is not whole: ${String(verdict)}, schema version ${found} instead of ${version}.`,
      );
  } finally {
    copy.close();
  }
}

function dropOld(folder: string, stem: string, newest: string): void {
  const version = (name: string) =>
    name.startsWith(`${stem}-`)
      ? /^(\d{4})-.+\.sqlite$/.exec(name.slice(stem.length + 1))?.[1]
      : undefined;
  const all = readdirSync(folder).filter((name) => version(name) !== undefined);
  const sameVersion = all.filter((name) => name !== newest && version(name) === version(newest));
  const others = all
    .filter((name) => version(name) !== version(newest))
    .sort()
    .reverse();
  for (const name of [...sameVersion, ...others.slice(kept - 1)])
    rmSync(join(folder, name), { force: true });
}
