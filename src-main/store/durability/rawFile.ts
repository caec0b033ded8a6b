import { closeSync, openSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/*
 * Closing a file drops all locks that the process has on it, those of SQLite's connections too:
 * that is how POSIX locks work. Another process could then remove the journal under them. So a
 * database file that was read without SQLite is closed only once no connection to it is open here.
 */
const openConnections = new Map<string, number>();
const waiting = new Map<string, number[]>();

/** Reads a database file without SQLite. */
export function readRaw<T>(file: string, read: (handle: number) => T): T {
  const handle = openSync(file, 'r');
  try {
    return read(handle);
  } finally {
    if (openConnections.has(file)) waiting.set(file, [...(waiting.get(file) ?? []), handle]);
    else closeSync(handle);
  }
}

/** A handle for other threads to read the file by, which is closed with the last connection. */
export const openRaw = (file: string): number => readRaw(file, (handle) => handle);

/** Counts a connection until it is closed. */
export function countConnection<Database extends Sqlite.Database>(
  file: string,
  db: Database,
): Database {
  openConnections.set(file, (openConnections.get(file) ?? 0) + 1);
  const close = db.close.bind(db);
  const closeCounted = () => {
    const wasOpen = db.open;
    close();
    if (wasOpen) endConnection(file);
    return db;
  };
  return Object.assign(db, { close: closeCounted });
}

function endConnection(file: string): void {
  const left = (openConnections.get(file) ?? 1) - 1;
  if (left > 0) {
    openConnections.set(file, left);
    return;
  }
  openConnections.delete(file);
  for (const handle of waiting.get(file) ?? []) closeSync(handle);
  waiting.delete(file);
}
