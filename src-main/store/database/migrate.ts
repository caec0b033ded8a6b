import type Sqlite from 'better-sqlite3';
import { sha256 } from '../../runtime/sha256.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { StoreClock } from './database.ts';
import type { Migration } from './migrationFiles.ts';

/** What the database says about itself. */
export interface SchemaState {
  version: number;
  applied: { id: number; name: string; sha256: string }[];
  /** True where it holds any table, ours or not. */
  hasTables: boolean;
}

export function readSchemaState(db: Sqlite.Database): SchemaState {
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const listed = tables.includes('schema_migrations');
  const applied = listed
    ? db
        .prepare<[], SchemaState['applied'][number]>(
          'SELECT id, name, sha256 FROM schema_migrations ORDER BY id',
        )
        .all()
    : [];
  return { version, applied, hasTables: tables.length > 0 };
}

/**
 * Returns the migrations that are still to be applied. Throws TROUBLE, before anything is written,
 * where the database is not an earlier state of this list: written by a newer version, by another
 * branch, or by a migration that was changed since.
 */
export function pendingMigrations(
  file: string,
  state: SchemaState,
  migrations: readonly Migration[],
): Migration[] {
  const newest = migrations.at(-1)?.id ?? 0;
  const versions = `The database has schema version ${state.version}; this version of Touchstone supports up to ${newest}.`;
  const refuse = (cause: string, nextStep: string) =>
    new ServiceError('TROUBLE', {
      thing: `The database ${file}`,
      cause: `${cause} ${versions} Nothing was changed.`,
      nextStep,
    });
  const update =
    'Open it with the version of Touchstone that wrote it last, or a newer one, or choose another workspace folder.';

  if (state.hasTables && state.applied.length === 0 && state.version <= newest) {
    throw refuse(
      'It is an SQLite database, but not one of Touchstone.',
      'Choose another workspace folder.',
    );
  }
  if (state.version > newest)
    throw refuse(
      'It was written by a newer version of Touchstone.',
      `${update} To go on with this version, touchstone restore puts back the backup from before the update, without what was added since.`,
    );
  const known = new Map(migrations.map((migration) => [migration.id, migration]));
  for (const { id, name, sha256 } of state.applied) {
    const migration = known.get(id);
    if (migration === undefined)
      throw refuse(
        `It holds the migration ${id} (${name}), which this program does not know.`,
        update,
      );
    if (migration.sha256 !== sha256)
      throw refuse(
        `Its migration ${id} (${name}) differs from the one that this program holds.`,
        update,
      );
  }
  const last = state.applied.at(-1)?.id ?? 0;
  if (last !== state.version) {
    throw refuse(
      `Its list of migrations ends with ${last}.`,
      'Restore the newest file in the backups folder next to it.',
    );
  }
  const applied = new Set(state.applied.map(({ id }) => id));
  const skipped = migrations.find(({ id }) => id < last && !applied.has(id));
  if (skipped !== undefined)
    throw refuse(
      `It lacks the migration ${skipped.id} (${skipped.name}) although it holds later ones.`,
      update,
    );
  return migrations.filter(({ id }) => id > last);
}

/**
 * Applies each migration in its own transaction, together with its entry in the list: a failure
 * leaves the version before it. A new database gets all of them in one, because it has nothing to
 * keep, and each commit waits for the disk.
 */
export function applyMigrations(
  db: Sqlite.Database,
  pending: readonly Migration[],
  clock: StoreClock,
): void {
  // With foreign keys on, rebuilding a table would delete the rows that refer to it. They are
  // checked before each commit instead.
  db.pragma('foreign_keys = OFF');
  // For content that is stored by its hash. Nothing in a schema may call it.
  db.function('sha256', { deterministic: true, directOnly: true }, (text) => sha256(String(text)));
  const isNew = !readSchemaState(db).hasTables;
  try {
    if (isNew) inTransaction(db, () => pending.forEach((one) => applyMigration(db, one, clock)));
    else for (const one of pending) inTransaction(db, () => applyMigration(db, one, clock));
  } finally {
    db.pragma('foreign_keys = ON');
  }
}

function inTransaction(db: Sqlite.Database, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function applyMigration(
  db: Sqlite.Database,
  { id, name, sha256, sql }: Migration,
  clock: StoreClock,
): void {
  // Another process may have applied it first.
  if (Number(db.pragma('user_version', { simple: true })) >= id) return;
  db.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT',
  );
  db.exec(sql);
  if (!db.inTransaction) throw new Error(`Migration ${id} (${name}) ends its own transaction.`);
  const violations = db.pragma('foreign_key_check');
  if (Array.isArray(violations) && violations.length > 0)
    throw new Error(
      `Migration ${id} (${name}) leaves rows that refer to nothing: ${JSON.stringify(violations[0])}.`,
    );
  db.prepare(
    'INSERT INTO schema_migrations (id, name, sha256, applied_at) VALUES (?, ?, ?, ?)',
  ).run(id, name, sha256, clock.now());
  db.pragma(`user_version = ${id}`);
}
