import Sqlite from 'better-sqlite3';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { assertSafeSqlite, sqliteVersion } from './sqliteVersion.ts';

/** Opens an existing file, or its content, with the settings that SQLite doesn't keep in it. */
export function connect(file: string | Buffer, options: Sqlite.Options): Sqlite.Database {
  const fileMustExist = typeof file === 'string';
  const db = new Sqlite(file, fileMustExist ? { ...options, fileMustExist } : options);
  try {
    assertSafeSqlite(sqliteVersion(db));
    db.pragma('foreign_keys = ON');
    // Functions in a schema that somebody tampered with must not run.
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    // In WAL mode this library opens with NORMAL by default, which may lose the last commits in a
    // power cut.
    db.pragma('synchronous = FULL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function useJournal(db: Sqlite.Database): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    throw new ServiceError('TROUBLE', {
      thing: `The database ${db.name}`,
      cause: `The file system of its folder does not allow a write-ahead journal (mode ${String(mode)}).`,
      nextStep: 'Choose a workspace folder on a local disk.',
    });
  }
}
