import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StoreClock } from '../database/database.ts';
import { syncPath } from './durableFile.ts';
import { betweenFile, inUseFile, journalFile } from './journal.ts';
import { checksumFile } from './pageChecksums.ts';
import { recoveryFolder, rollbackJournalFile } from './rollbackJournal.ts';

/** Removes what a process that was killed left unfinished. None of it was ever counted on. */
export function removeUnfinished(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder))
    if (name.startsWith(basename(file)) && /\.new(-\w+)?$/.test(name))
      rmSync(join(folder, name), { force: true });
  rmSync(recoveryFolder(file), { recursive: true, force: true });
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
