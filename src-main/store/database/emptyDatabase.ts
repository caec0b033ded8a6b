import Sqlite from 'better-sqlite3';
import { systemClock } from '../../runtime/clock.ts';
import { applyMigrations } from './migrate.ts';
import { readMigrations } from './migrationFiles.ts';

/** The content of a database that all migrations were applied to, and nothing else. */
export function emptyDatabase(migrationsFolder: string): Buffer {
  const db = new Sqlite(':memory:');
  try {
    applyMigrations(db, readMigrations(migrationsFolder), systemClock);
    db.exec('VACUUM');
    return db.serialize();
  } finally {
    db.close();
  }
}
