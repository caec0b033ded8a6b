import type Sqlite from 'better-sqlite3';

export function sqliteVersion(db: Sqlite.Database): string {
  return String(db.prepare('SELECT sqlite_version()').pluck().get());
}

/** Up to 3.51.2, two connections could damage a database in WAL mode. 3.52.0 was withdrawn. */
export function assertSafeSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const old = major < 3 || (major === 3 && (minor < 51 || (minor === 51 && patch < 3)));
  if (old || version === '3.52.0')
    throw new Error(
      `SQLite ${version} can damage databases: 3.51.3 or newer is needed, but not 3.52.0.`,
    );
}
