import type Sqlite from 'better-sqlite3';

/**
 * Two types for one handle. Code that only reads asks for a ReadableDatabase, and a handle that was
 * opened for reading can't be passed to code that writes. Both come from `openDatabase`.
 */
export type ReadableDatabase = Sqlite.Database & { readonly __access: 'read' | 'write' };
export type WritableDatabase = Sqlite.Database & { readonly __access: 'write' };

/** What the store needs of a clock; ISO 8601, UTC, milliseconds. */
export interface StoreClock {
  now(): string;
}
