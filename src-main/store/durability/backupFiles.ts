import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folder of a database's backups. */
export const backupFolder = (file: string) => join(dirname(file), 'backups');

/** The schema version in the name of a backup; null if it is the name of something else. */
export function versionOfBackup(file: string, name: string): string | null {
  const stem = `${basename(file, '.sqlite')}-`;
  if (!name.startsWith(stem)) return null;
  return /^(\d{4})-.+\.sqlite$/.exec(name.slice(stem.length))?.[1] ?? null;
}

/** The backups of a database, the newest first: names begin with the version and go on with the time. */
export function listBackups(file: string): string[] {
  const folder = backupFolder(file);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => versionOfBackup(file, name) !== null)
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}
