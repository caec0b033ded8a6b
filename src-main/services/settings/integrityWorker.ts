import { serveItems } from '../../adapters/process/itemLoop.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openDatabase } from '../../store/database/openDatabase.ts';
import { scanCheckedWal } from '../../store/durability/journal.ts';
import { findDamageIn, readChecksums } from '../../store/durability/pageChecksums.ts';
import { findFault } from '../../store/durability/sqliteCheck.ts';

/** The pages of the file by a handle of the process, what holds them together, or one table. */
export type IntegrityJob = { file: string; migrationsFolder: string } & (
  { pages: number } | { structure: true } | { table: string }
);

/**
 * Checks a part of a database and returns what is wrong, or null if all is well. The connection is
 * open for one part only, so that the journal doesn't grow during the whole check.
 */
serveItems((item): string | null => {
  const job = item as IntegrityJob;
  const { file, migrationsFolder } = job;
  if ('pages' in job) {
    const checksums = readChecksums(file);
    return checksums && findDamageIn(job.pages, checksums, scanCheckedWal(file));
  }
  const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'read' });
  try {
    if ('structure' in job) return findFault(db);
    return findFault(db, `integrity_check('${job.table.replaceAll("'", "''")}')`);
  } finally {
    db.close();
  }
});
