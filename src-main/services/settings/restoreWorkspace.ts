import { join, resolve } from 'node:path';
import { statSync } from 'node:fs';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { systemClock } from '../../runtime/clock.ts';
import { backupFolder, listBackups } from '../../store/durability/backupFiles.ts';
import { restoreBackup } from '../../store/durability/restore.ts';
import { acquireWorkspaceLock } from '../../store/durability/workspaceLock.ts';

export interface Backup {
  file: string;
  bytes: number;
  /** When it was written, ISO 8601. */
  writtenAt: string;
}

const databaseOf = (folder: string) => join(folder, 'touchstone.sqlite');

/** The backups of a workspace, the newest first. */
export function workspaceBackups(folder: string): Backup[] {
  return listBackups(databaseOf(folder)).map((file) => {
    const { size, mtime } = statSync(file);
    return { file, bytes: size, writtenAt: mtime.toISOString() };
  });
}

/**
 * Puts a backup in the place of the workspace's database. Throws CONFLICT while another process has
 * the workspace open.
 */
export function restoreWorkspace(
  folder: string,
  backup?: string,
): { backup: string; aside: string | null } {
  const file = databaseOf(folder);
  const chosen = backup === undefined ? newest(file) : resolve(backup);
  const lock = acquireWorkspaceLock({ folder, host: 'cli', clock: systemClock });
  try {
    const { migrations: migrationsFolder } = programFiles;
    const aside = restoreBackup({ file, backup: chosen, migrationsFolder, clock: systemClock });
    return { backup: chosen, aside };
  } finally {
    lock.release();
  }
}

function newest(file: string): string {
  const [backup] = listBackups(file);
  if (backup !== undefined) return backup;
  throw new ServiceError('NOT_FOUND', {
    thing: `A backup in ${backupFolder(file)}`,
    cause: 'There are no backups. A backup is made when a newer version changes the database.',
    nextStep: 'Name a backup file.',
    onCommandLine: '`touchstone salvage --out FOLDER` exports what is readable.',
  });
}
