import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { notPlain } from '../../runtime/plainFile.ts';
import { backupFolder } from './backupFiles.ts';
import type { StoreClock } from '../database/database.ts';
import { syncPath } from './durableFile.ts';
import { betweenFile, inUseFile, journalFile } from './journal.ts';
import { checksumFile } from './pageChecksums.ts';
import { recoveryFolder, rollbackJournalFile } from './rollbackJournal.ts';

/** Another program, such as a command that saves a key, finishes a file within this time. */
const minLeftMs = 60_000;

/**
 * Removes what a process that was killed left unfinished: new content of the database, its backups,
 * and of the other files of the workspace. None of it was ever counted on.
 */
export function removeUnfinished(file: string): void {
  for (const folder of [dirname(file), backupFolder(file)])
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      if (!/\.new(-\w+)?$/.test(name) || !name.startsWith(stemOf(file))) continue;
      const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const isOurs = folder !== dirname(file) || name.startsWith(basename(file));
      if (isOurs || Date.now() - written > minLeftMs) rmSync(path, { force: true });
    }
  rmSync(recoveryFolder(file), { recursive: true, force: true });
}

const stemOf = (file: string): string => basename(file, extname(file));

/**
 * Throws TROUBLE where a file of a workspace is a pipe, a socket or a device: to open one could wait
 * without an end.
 * @param file the database
 */
export function requirePlainFiles(file: string): void {
  const folder = dirname(file);
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  for (const name of isFolder ? readdirSync(folder) : []) {
    if (!name.startsWith(`${stemOf(file)}.`)) continue;
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) continue;
    const problem = notPlain(found);
    if (problem !== null)
      throw new ServiceError('TROUBLE', {
        thing: join(folder, name),
        cause: `${problem} A workspace holds plain files only.`,
        nextStep: 'Remove it, or choose another workspace folder.',
      });
  }
}

/**
 * Takes the files away that belonged to the database which a backup has replaced. SQLite would mix
 * the old journals into the backup, so they are kept apart.
 */
export function setAsideOldFiles(file: string, clock: StoreClock): void {
  const journals = [journalFile(file), rollbackJournalFile(file)].filter(
    (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (journals.length > 0) {
    const stem = `replaced-${clock.now().replaceAll(/[:.]/g, '-')}-`;
    const folder = mkdtempSync(join(dirname(file), stem));
    for (const path of journals) renameSync(path, join(folder, basename(path)));
    syncPath(folder);
  }
  removeOldFiles(file);
}

/** Removes what belongs to the database that was here before, and nothing that a backup needs. */
export function removeOldFiles(file: string): void {
  const old = [
    journalFile(file),
    rollbackJournalFile(file),
    `${file}-shm`,
    inUseFile(file),
    betweenFile(file),
    checksumFile(file),
  ];
  for (const path of old) rmSync(path, { force: true });
  syncPath(dirname(file));
}
