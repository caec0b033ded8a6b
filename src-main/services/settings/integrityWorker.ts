import { serveItems } from '../../adapters/process/itemLoop.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openDatabase } from '../../store/database/openDatabase.ts';

export interface IntegrityJob {
  file: string;
  migrationsFolder: string;
  table: string;
}

/**
 * Checks one table with its indexes and returns what SQLite says, or null if all is well. The
 * connection is open for one table only, so that the journal doesn't grow during the whole check.
 */
serveItems((item): string | null => {
  const { file, migrationsFolder, table } = item as IntegrityJob;
  const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'read' });
  try {
    const quoted = `'${table.replaceAll("'", "''")}'`;
    const verdict = String(db.pragma(`integrity_check(${quoted})`, { simple: true }));
    return verdict === 'ok' ? null : verdict;
  } finally {
    db.close();
  }
});
