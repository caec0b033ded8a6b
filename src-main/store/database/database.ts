import type Sqlite from 'better-sqlite3';
import type { ServiceError } from '../../../src-shared/contract/errors.ts';

/**
 * Two types for one handle. Code that only reads asks for a ReadableDatabase, and a handle that was
 * opened for reading can't be passed to code that writes. Both come from `openDatabase`.
 */
export type ReadableDatabase = Sqlite.Database & {
  readonly __access: 'read' | 'write';
  /** Null where it was opened for reading. */
  readonly session: WriteSession | null;
};
export type WritableDatabase = Sqlite.Database & {
  readonly __access: 'write';
  readonly session: WriteSession;
};

/** What comes with the right to write. */
export interface WriteSession {
  /** True if the session before this one ended without closing the database. */
  readonly afterCrash: boolean;
  /** Why nothing may be written any more; null where all is well. */
  readonly damage: ServiceError | null;
  /** Refuses every write from now on, with this error. */
  refuseWrites(damage: ServiceError): void;
  /** False while the pages of the file are still to be read: see `DatabaseOptions.maxUnread`. */
  readonly isChecked: boolean;
  /** Call once they were, and are sound. */
  passCheck(): void;
  /** Checks what is still to be checked at once. */
  checkNow(): void;
  /** Call after each commit. */
  afterCommit(): void;
}

/** What the store needs of a clock; ISO 8601, UTC, milliseconds. */
export interface StoreClock {
  now(): string;
}
