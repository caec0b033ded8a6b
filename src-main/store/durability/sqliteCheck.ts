import Sqlite from 'better-sqlite3';

/**
 * What SQLite itself finds wrong with a database, or with one table and its indexes; null if nothing.
 * A database that can't even be read for that is damaged too.
 */
export function findFault(
  db: Sqlite.Database,
  check: 'quick_check(1)' | `integrity_check(${string})` = 'quick_check(1)',
): string | null {
  try {
    const verdict = String(db.pragma(check, { simple: true }));
    return verdict === 'ok' ? null : verdict;
  } catch (error) {
    const fault = corruption(error);
    if (fault === null) throw error;
    return fault;
  }
}

/** What an error says where SQLite can't read a file, because it is damaged or none of its own. */
export function corruption(error: unknown): string | null {
  if (!(error instanceof Sqlite.SqliteError)) return null;
  const { code, message } = error;
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
    ? `${code}: ${message}`
    : null;
}
